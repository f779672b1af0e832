#!/usr/bin/env bash
# Verifies the claims of the module in the current directory, compares them with those of an older revision, and leaves
# what GitHub shows: the tables in the log, annotations, a summary, the outputs. Exits 0 pass, 1 a loss, 2 unusable, and
# without a loss as thm check does, unless ABSOLUTE is false.
set -euo pipefail
work=$RUNNER_TEMP/claims
mkdir -p "$work"
rm -rf "$work/new"
read -r -d '' -a patterns <<<"$PATTERNS" || true # of all lines; the end of the input is no failure

end() { # OUTCOME CODE [ERROR]
  [ -z "${3-}" ] || echo "::error title=claims::$3"
  echo "outcome=$1" >>"$GITHUB_OUTPUT"
  exit "$2"
}

# verify SIDE is thm check of the module in the current directory.
verify() {
  go build -o "$work/thm-$1" "$PROGRAM" || return 2
  "$work/thm-$1" check ${patterns[@]+"${patterns[@]}"} --effort "$EFFORT" --seed "$SEED" --quiet --out "$work/$1"
}

if [ -n "$BASE" ]; then
  git rev-parse --quiet --verify "$BASE^{commit}" >/dev/null ||
    end unusable 2 "the old revision \"$BASE\" is not in this checkout; give actions/checkout fetch-depth: 0, or this action a base"
  if [ ! -s "$work/old/results.json" ]; then
    git worktree add --quiet --detach "$work/tree" "$BASE"
    (cd "$work/tree/$(git rev-parse --show-prefix)" && verify old) >"$work/old.log" 2>&1 || true # judged by its results
    git worktree remove --force "$work/tree"
    [ -s "$work/old/results.json" ] || { cat "$work/old.log"; end unusable 2 "the claims of the old revision gave no results"; }
  fi
fi

status=0
verify new || status=$?
[ -s "$work/new/results.json" ] || end unusable 2 "thm check ended with exit code $status and no results; see the log"
echo "report=$work/new" >>"$GITHUB_OUTPUT"

if [ -n "$BASE" ]; then
  loss=0
  "$work/thm-new" diff "$work/old" "$work/new" | tee "$work/diff.txt" || loss=$?
  { echo "### Claims, compared with ${BASE:0:12}"; echo '```'; cat "$work/diff.txt"; echo '```'; } >>"$GITHUB_STEP_SUMMARY"
fi
cat "$work/new/report.md" >>"$GITHUB_STEP_SUMMARY"

case ${loss-0} in
0) ;;
1) end loss 1 "a claim, a control or a resolution was lost; the summary names it" ;;
*) end unusable 2 "the two results could not be compared" ;;
esac
[ "$status" -eq 0 ] && end pass 0
[ "$ABSOLUTE" = false ] && end pass 0
end failing "$status" "not everything holds; the report names what does not"
