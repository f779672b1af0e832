#!/usr/bin/env bash
# Measures and judges in the current directory, and leaves what GitHub shows: the table in the log, annotations, a
# summary, a comment on the pull request, the outputs. Exits as benchgate diff does, 0 pass, 1 regression, 2 unusable
# input, 3 undecided; but 3 is a warning and passes unless undecided is a failure.
set -euo pipefail
benchgate=$RUNNER_TEMP/benchgate
result=$RUNNER_TEMP/bench-gate.json
summary=$RUNNER_TEMP/bench-gate.md
rm -f "$result" "$summary"

# comment puts the summary on the pull request: into the comment that this step left before, or into a new one. A table
# that is longer than a comment may be is left out from there, all rows first.
comment() {
  local mark=${GITHUB_WORKFLOW-}/${GITHUB_JOB-}/${GITHUB_ACTION-} issues=repos/$GITHUB_REPOSITORY/issues
  local body=$RUNNER_TEMP/bench-gate-comment.md id
  mark="<!-- benchgate ${mark//[^A-Za-z0-9_.\/ ]/-} -->"
  { printf '%s\n' "$mark"; cat "$summary"; } >"$body"
  if [ "$(wc -c <"$body")" -ge 60000 ]; then
    sed '/^<details>/,/^<\/details>/d' "$body" | head -n 200 >"$body.short"
    body=$body.short
  fi
  id=$(gh api --paginate "$issues/$COMMENT/comments" --jq ".[] | select(.user.login == \"github-actions[bot]\" and \
    (.body | startswith(\"$mark\"))) | .id") || return
  id=${id%%$'\n'*}
  if [ -n "$id" ]; then
    gh api --method PATCH "$issues/comments/$id" -F "body=@$body" >/dev/null
  else
    gh api --method POST "$issues/$COMMENT/comments" -F "body=@$body" >/dev/null
  fi
}

if [ -z "$BASE" ] || ! git rev-parse --quiet --verify "$BASE^{commit}" >/dev/null; then
  echo "::error title=benchmark gate::the old revision \"$BASE\" is not in this checkout; give actions/checkout fetch-depth: 0, or this action a base"
  exit 2
fi
read -r -d '' -a more <<<"$ARGS" || true # of all lines; the end of the input is no failure
[ -z "$POLICY" ] || more+=(--policy "$POLICY")
[ -z "$COUNT" ] || more+=(--count "$COUNT")
[ -z "${METER-}" ] || more+=(--meter "$METER")
[ -z "${BUDGET-}" ] || more+=(--budget "$BUDGET")
[ -z "${SETUP-}" ] || more+=(--setup "$SETUP")

status=0
"$benchgate" diff "$BASE" --bench "$BENCH" --pkg "$PACKAGES" --benchtime "$BENCHTIME" \
  --report "json=$result" --report "markdown=$summary" ${more[@]+"${more[@]}"} || status=$?

names=(pass regression unusable undecided)
outcome=${names[$status]:-}
if [ -s "$result" ]; then
  "$benchgate" gate --format github "$result" 2>"$RUNNER_TEMP/bench-gate.err" || true # the outcome is said above
  echo "result=$result" >>"$GITHUB_OUTPUT"
elif [ "$status" -eq 0 ]; then
  echo 'Benchmarks: nothing to measure, every package is the same in both revisions.' >"$summary"
else
  outcome=''
  echo "::error title=benchmark gate::benchgate diff ended with exit code $status and no result; see the log"
  echo "Benchmarks: \`benchgate diff\` ended with exit code $status and no result; see the log." >"$summary"
fi
cat "$summary" >>"$GITHUB_STEP_SUMMARY"
if [ -n "${COMMENT-}" ] && ! comment; then
  echo '::notice title=benchmark gate::no comment on the pull request: it takes the command gh and the permission pull-requests: write, which pull requests of forks do not have'
fi
echo "outcome=$outcome" >>"$GITHUB_OUTPUT"
if [ "$status" -eq 3 ] && [ "${UNDECIDED-}" != failure ]; then
  echo '::warning title=benchmark gate::undecided: nothing is known to be worse, and not all is known to be the same'
  exit 0
fi
exit "$status"
