# The gates, one function each. A gate looks at the module in the current directory, prints what it finds, and
# returns non-zero if the module must not pass. Sourced by .ci/run, which applies them, and by .ci/selftest, which
# shows that each can fail.
#
# bash switches `set -e` off inside a function whose status is tested, so every command that matters says `|| return`.

STATICCHECK=honnef.co/go/tools/cmd/staticcheck@v0.8.2
DEADCODE=golang.org/x/tools/cmd/deadcode@v0.52.0
GOPACKAGES=golang.org/x/tools/go/packages/gopackages@v0.52.0
GORELEASER=github.com/goreleaser/goreleaser/v2@v2.15.2

gate_gofmt() {
  local files
  files=$(gofmt -l .) || return 1
  [ -z "$files" ] && return 0
  echo "gofmt would change:"
  echo "$files"
  return 1
}

# lazily COMMAND... lets the compiler and what looks at code collect garbage less often than Go's default, which costs a
# fifth of their processor time, while there is memory.
lazily() { GOGC=400 GOMEMLIMIT=3GiB "$@"; }

# With the tag, the tests that gate_system runs are looked at as well.
gate_vet() { lazily go vet -tags system ./...; }

gate_staticcheck() { lazily go run "$STATICCHECK" -tags system ./...; }

# What neither a command nor a test calls, exported or not. Examples without output are compiled and not run.
gate_deadcode() {
  local found
  found=$(lazily go run "$DEADCODE" -test -tags system ./...) || return 1
  ! grep -Ev '^$|: unreachable func: Example' <<<"$found"
}

gate_mod_verify() { go mod verify; }

gate_tidy() { go mod tidy -diff; }

# Sends the output of a test command through, and fails unless every package passed and tests really ran.
run_tests() {
  local log status=0
  log=$(mktemp)
  "$@" 2>&1 | tee "$log" || status=1
  if ! grep -q '^ok' "$log"; then
    echo "no package was tested"
    status=1
  fi
  if grep -F '[no tests to run]' "$log" >/dev/null; then
    echo "a package has test files and no tests"
    status=1
  fi
  rm -f "$log"
  return $status
}

# top_level FILE... lists the tests that files declare, subtests apart.
top_level() {
  [ $# -eq 0 ] || grep -hoE '^func Test[A-Za-z0-9_]*\([a-z_]+ \*testing\.T\)' "$@" | sed -E 's/^func ([A-Za-z0-9_]+).*/\1/'
}

# counted EXPECTED COMMAND... runs verbose tests and counts them. It fails if one fails, and if fewer than expected ran,
# subtests apart. A skipped test is named with its reason: it is no pass.
counted() {
  local expected=$1 log status=0 passed skipped failed top
  shift
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=1
  if [ $status -eq 0 ]; then
    grep -E '^(ok|\?)' "$log" || true
    grep -E -B1 --no-group-separator '^ *--- SKIP' "$log" || true
  else
    grep -Ev '^(=== |PASS$)|^ *--- PASS' "$log" || true
  fi
  passed=$(grep -cE '^ *--- PASS' "$log" || true)
  skipped=$(grep -cE '^ *--- SKIP' "$log" || true)
  failed=$(grep -cE '^ *--- FAIL' "$log" || true)
  top=$(grep -cE -- '--- (PASS|SKIP|FAIL): Test[^ /]* \(' "$log" || true)
  rm -f "$log"
  echo "$passed tests passed, $skipped skipped, $failed failed"
  if [ "$passed" -eq 0 ] || [ "$top" -lt "$expected" ]; then
    echo "$top tests ran, subtests apart, of $expected"
    return 1
  fi
  return $status
}

# go test ./... with a count. What go test would vet, gate_vet has vetted, and gate_system leaves it out as well.
gate_count() {
  local files expected
  files=$(go list -f '{{$d := .Dir}}{{range .TestGoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{range .XTestGoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}' ./...) || return
  # shellcheck disable=SC2086 # names of our files have no spaces
  expected=$(top_level $files | wc -l)
  counted "$expected" go test -v -vet=off ./...
}

# The tests with the tag system: they build programs, measure, train, start browsers, or run claims once more, which are
# compared with the report of gate_seed where it has left one.
gate_system() {
  local files names packages
  files=$(grep -rlE --include='*_test.go' '^//go:build .*\bsystem\b' . || true)
  # shellcheck disable=SC2086
  names=$(top_level $files)
  [ -n "$names" ] || { echo "no test has the tag system"; return 1; }
  # shellcheck disable=SC2086
  packages=$(dirname $files | sort -u)
  [ ! -s reports/latest/results.json ] || local -x THM_RESULTS=$PWD/reports/latest/results.json
  # shellcheck disable=SC2086
  counted "$(wc -l <<<"$names")" go test -v -vet=off -tags system -run "^($(paste -sd '|' <<<"$names"))\$" $packages
}

gate_race() { run_tests go test -short -race "$@"; }

# cheapest N lists, of each source, the N claims that took the least time in the published report, the quickest first.
cheapest() {
  sed -nE 's|.*classname="([^/"]+)/([^"]+)" name="verdict" time="([0-9.]+)".*|\1 \3 \1/\2|p' \
    reports/published/example/junit.xml | sort -k1,1 -k2,2g | awk -v most="$1" '++n[$1] <= most { print $2, $3 }' |
    sort -g | cut -d' ' -f2
}

# The kernels without assembly, as other architectures and the race detector have them.
gate_portable() { run_tests go test -short -tags noasm "$@"; }

# thm check, of the claims given, on the kernels without assembly.
gate_portable_claims() {
  local dir status=0
  [ $# -gt 0 ] || { echo "no claim was named"; return 1; }
  dir=$(mktemp -d)
  go run -tags noasm ./cmd/thm check --effort quick --quiet --out "$dir" "$@" || status=1
  rm -rf "$dir"
  return $status
}

# Verifies the claims given, or all, at the seed that a commit's hash makes: one that nobody has chosen, and that every
# run of the commit has. The report is left in reports/latest, with more workers than processors, for gate_system.
gate_seed() {
  local commit=$1 seed
  shift
  [[ $commit =~ ^[0-9a-f]{8,}$ ]] || { echo "no hash of a commit: $commit"; return 1; }
  seed=$((16#${commit:0:8}))
  echo "seed $seed, of commit $commit; again: go run ./cmd/thm check --effort quick --seed $seed $*"
  go run ./cmd/thm check --effort quick --seed "$seed" --jobs 7 --quiet "$@"
}

# Verifies the claims given, or all, at many seeds and quick effort.
gate_soak() {
  local seeds=$1 dir status=0
  shift
  dir=$(mktemp -d)
  go run ./cmd/thm soak --seeds "$seeds" --out "$dir" "$@" || status=1
  rm -rf "$dir"
  return $status
}

# Where the compiler fuses multiplications and additions, the portable kernels compute the same bits: the digest is
# pinned.
gate_fused() {
  GOAMD64=v3 run_tests go test -short -run TestDeterminism ./impl/blas
}

# Type-checks everything from source, tests included, for the systems and architectures given as os/arch, and compares
# the assembly of arm64 with its declarations. Compiling and linking for them takes more than twice as long: gate_arm64
# does it for the kernels, and the long form vets everything and links the commands, in gate_release.
gate_cross() {
  local platform dir assembly status=0
  [ $# -gt 0 ] || { echo "no platform was named"; return 1; }
  dir=$(mktemp -d)
  GOBIN=$dir go install "$GOPACKAGES" || { rm -rf "$dir"; return 1; }
  for platform in "$@"; do
    GOOS=${platform%/*} GOARCH=${platform#*/} "$dir/gopackages" -mode=allsyntax -test ./... >"$dir/log" 2>&1 || status=1
    echo "$platform: $(grep -c '^Go package ' "$dir/log") packages"
    # An error is a line with its place; the others are packages and their declarations.
    if ! grep -q '^Go package ' "$dir/log" || grep -E '^\s*(-|[^[:space:]]+:[0-9]+(:[0-9]+)?): ' "$dir/log"; then status=1; fi
  done
  rm -rf "$dir"
  assembly=$(GOARCH=arm64 go list -f '{{if .SFiles}}{{.ImportPath}}{{end}}' ./...) || return
  # shellcheck disable=SC2086 # paths have no spaces
  [ -z "$assembly" ] || GOOS=linux GOARCH=arm64 CGO_ENABLED=0 go vet -asmdecl $assembly || return
  return $status
}

# emulated DEADLINE WHAT COMMAND... runs one part of gate_arm64 in the time that is left, and shows the end of what it
# printed. A part that is not finished by then is left out, which is said here and again at the end.
emulated() {
  local left=$(($1 - SECONDS)) what=$2 log status=0
  shift 2
  if [ "$left" -le 0 ]; then
    left_out+=("$what")
    return 0
  fi
  log=$(mktemp)
  timeout --kill-after=5 "$left" "$@" >"$log" 2>&1 || status=$?
  if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
    left_out+=("$what")
    status=0
  elif [ "$status" -eq 0 ]; then
    echo "$what: passed"
    passed_parts=$((passed_parts + 1))
  else
    echo "$what: FAILED"
    grep -v bisect "$log" | tail -n 60
  fi
  rm -f "$log"
  return "$status"
}

# What arm64 computes, run by the emulator given in about as many seconds as given: the kernels first, which must be
# finished, then the rest of impl and of internal/impl, the conformance kit, and claims, the quickest first. What there
# was no time for is named. Left out always: three tests of impl/linalg that factorise hundreds of matrices.
gate_arm64() {
  local emulator=$1 deadline=$((SECONDS + $2)) status=0 passed_parts=0 dir slug
  left_out=() # for .ci/run, which names them again at the end
  dir=$(mktemp -d)
  local -x GOARCH=arm64 CGO_ENABLED=0 QEMU_LD_PREFIX=${QEMU_LD_PREFIX-/usr/aarch64-linux-gnu}
  emulated "$deadline" 'impl/blas' go test -short -exec "$emulator" ./impl/blas || status=1
  [ "$passed_parts" -eq 1 ] || { echo "impl/blas did not pass"; rm -rf "$dir"; return 1; }
  emulated "$deadline" 'impl/blas, nothing fused' go test -short -exec "$emulator" -run TestDeterminism \
    -gcflags=github.com/thm-suite/thm/...=-d=fmahash=n ./impl/blas || status=1
  emulated "$deadline" 'the rest of impl' go test -short -exec "$emulator" \
    -skip 'TestSymEigenRatiosOnTheGallery|TestNoConvergenceIsAnErrorWithTheResidual|TestSVDRatiosOnTheGallery' \
    $(go list ./impl/... ./internal/impl/... | grep -v /blas) || status=1
  # The command takes 40 s to compile, and is not if there is no time to run it.
  if [ "$SECONDS" -ge "$deadline" ] || go build -o "$dir/thm" ./cmd/thm; then
    emulated "$deadline" 'thm kernels' "$emulator" "$dir/thm" kernels --no-speed --quiet || status=1
    for slug in $(cheapest 2); do
      emulated "$deadline" "thm check $slug" \
        "$emulator" "$dir/thm" check --effort quick --quiet --out "$dir/out" "$slug" || status=1
    done
  else
    status=1
  fi
  rm -rf "$dir"
  if [ "${#left_out[@]}" -gt 0 ]; then
    printf 'left out, for lack of time: %s\n' "${left_out[@]}"
  fi
  return "$status"
}

# The kill matrix of the conformance kit must be complete, and our kernels and gonum's must do as expected.
gate_kernels() {
  local log status=0
  log=$(mktemp)
  go run ./cmd/thm kernels --faults --quiet "$@" >"$log" || status=1
  go run ./cmd/thm kernels --no-speed --quiet "$@" >>"$log" || status=1
  grep -E ' faults rejected$|^gap: |^[✓✗] ' "$log" || status=1
  [ $status -eq 0 ] || cat "$log"
  rm -f "$log"
  return $status
}

# What is published of OpenBLAS, BLIS and the reference implementation is found again, and nothing else, and every
# program in C shows it. The libraries must be of the versions of doc/findings.md.
gate_findings() {
  local dir=reports/published/findings status=0 log program
  log=$(mktemp)
  OPENBLAS_CORETYPE=Haswell OPENBLAS_NUM_THREADS=2 go run ./cmd/thm kernels openblas blis netlib --no-speed --quiet \
    --waivers "$dir/waivers.json" "$@" >"$log" || status=1
  grep -E '^[✓✗] |: waiver of ' "$log" || status=1
  for program in "$dir"/*.c; do
    cc -std=c17 "$program" -o "$log.out" -ldl -lm || { status=1; continue; }
    if OPENBLAS_CORETYPE=Haswell OPENBLAS_NUM_THREADS=2 "$log.out" >/dev/null; then
      echo "$program shows nothing"
      status=1
    fi
  done
  rm -f "$log" "$log.out"
  return $status
}

# Trials of the kernels from outside, which take minutes: gonum's own tests on them, calls between pages that may not
# be touched, and arguments by chance, most of them bad.
gate_outside() {
  .ci/gonum "$@" || return
  go test -count 1 -run 'TestGuardPages|TestPanics' ./impl/blas -guarded-calls 150000 -bad-arguments 1000000
}

# The real command, of the claims given or all: predict and try at absurd values, edited results files, signals.
gate_trial() {
  run_tests go test -count 1 -timeout 10h -run TestTrial ./cmd/command -trial "${*:-*/*}" -trial-edits 300
}

# Runs benchmarks once. Those of this module report the error ratio of what they timed.
gate_bench() {
  local log status=0
  log=$(mktemp)
  go test -run '^$' -bench "$1" -benchtime 1x ./bench/kernels 2>&1 | tee "$log" || status=1
  if ! grep -Eq '^Benchmark.* ns/op.* ratio' "$log"; then
    echo "no verified benchmark ran"
    status=1
  fi
  rm -f "$log"
  return $status
}

# Fails if the second file of benchmark results is worse than the first, or if that cannot be told.
gate_regression() { ${BENCHGATE:-go run ./cmd/benchgate} gate "$@"; }

gate_docs() { go run ./cmd/thm docs --check; }

# Fails if a closed form can be made wrong and its row stays green: see thm falsify --help.
gate_falsify() { go run ./cmd/thm falsify --quiet "$@"; }

# Fails if a check is weaker than it was where this change left the commit, and no commit since then says so.
gate_evidence() {
  local log status=0
  log=$(mktemp)
  ${THM:-go run ./cmd/thm} evidence --base "$1" >"$log" 2>&1 || status=1
  cat "$log"
  if [ -n "${GITHUB_STEP_SUMMARY-}" ]; then
    { echo '### Pinned evidence'; cat "$log"; } >>"$GITHUB_STEP_SUMMARY"
  fi
  rm -f "$log"
  return $status
}

# What `thm check` must leave behind.
gate_report() {
  local file status=0
  for file in index.html report.md results.json junit.xml; do
    if [ -s "reports/latest/$file" ]; then
      echo "reports/latest/$file: $(wc -c <"reports/latest/$file") bytes"
    else
      echo "reports/latest/$file is missing or empty"
      status=1
    fi
  done
  return $status
}

# commands lists the lines of the sh blocks of README.md, without comments.
commands() {
  awk '/^```$/ { inside = 0 } inside { print } /^```sh$/ { inside = 1 }' README.md | sed -E 's/ +#.*//'
}

# elsewhere COMMAND says where a command of the README is run, if it is not by gate_readme as it stands there.
elsewhere() {
  case $1 in
  'git clone https://github.com/thm-suite/thm && cd thm') echo 'this run, which begins with a clone' ;;
  'go test ./...') echo 'the step "tests, counted"' ;;
  'go run ./cmd/thm bench diff main') echo 'the step "system tests", on small modules' ;;
  esac
}

# README_SHOWS are commands that the README must have.
README_SHOWS=('git clone https://github.com/thm-suite/thm && cd thm' 'go run ./cmd/thm check' 'go test ./...')

# Runs what the README shows: every command, with three exceptions. The check is one at quick effort, and at the seed of
# the commit given, since the tests have run it at seed 1; go get takes the module from here; and those of elsewhere are
# named with the place.
gate_readme() {
  local commit=$1 command place status=0
  for command in "${README_SHOWS[@]}"; do
    commands | grep -xF -- "$command" >/dev/null || { echo "README.md does not show the command: $command"; return 1; }
  done
  while read -r command; do
    place=$(elsewhere "$command")
    [ -z "$place" ] || { echo "$command: run by $place"; continue; }
    echo "$ $command"
    case $command in
    'go run ./cmd/thm check') gate_seed "$commit" ;;
    'go get '*) outside "$command" ;;
    'go run ./cmd/thm bench gate old.txt new.txt') two_files "$command" ;;
    *) (eval "$command") >/dev/null ;;
    esac </dev/null || { echo "README.md: this command failed: $command"; status=1; }
  done < <(commands)
  return $status
}

# outside COMMAND runs go get in a new module, with git taking the repository from here, and vets the test that the
# README shows with it: here, where its packages are compiled.
outside() {
  local dir here=$PWD status=0
  dir=$(mktemp -d -p "$here" outside.XXXXXX)
  (
    cd "$dir"
    {
      printf 'package mine\n\nimport (\n\t"testing"\n\n'
      printf '\t"github.com/thm-suite/thm/%s"\n' props props/vcl
      printf ')\n\n'
      awk '/^```$/ { inside = 0 } inside { print } /^```go$/ { inside = 1 }' "$here/README.md"
    } >mine_test.go
    go vet . || exit
    export GOPRIVATE=github.com/thm-suite/thm GIT_CONFIG_COUNT=1
    export GIT_CONFIG_KEY_0=url.file://$here.insteadOf GIT_CONFIG_VALUE_0=https://github.com/thm-suite/thm
    go mod init example.org/mine && eval "$1" && go mod tidy
  ) || status=1
  rm -rf "$dir"
  return $status
}

# two_files COMMAND runs a command on old.txt and new.txt, two files of benchmark results that do not differ.
two_files() {
  local dir here=$PWD status=0
  dir=$(mktemp -d)
  (
    go build -o "$dir/thm" ./cmd/thm
    cd "$dir"
    cp "$here/internal/gate/compare/testdata/kernels-old.txt" old.txt
    { echo '# again'; cat old.txt; } >new.txt
    eval "./thm ${1#go run ./cmd/thm }"
  ) || status=1
  rm -rf "$dir"
  return $status
}

# ARCHIVE_LIMIT is how many bytes the archive of the module may have, which everybody downloads who imports it: what it
# had with 147 claims, 3.99 MB, and 3 %. With 140 claims and 3.78 MB it had code in Go 2.38 MB, its tests 0.74 MB, names
# and headers of 1 780 files 0.39 MB, the published soak, which the program holds, 0.07 MB, assembly 0.07 MB, and the
# published speed, schemas,
# templates, scripts in Python and documents 0.13 MB. Folders of reports, documents and test data that no program holds
# are modules of their own and left out.
ARCHIVE_LIMIT=4110000

# gate_install installs the commands as somebody does who has nothing of this module, at its newest version, and runs
# them. The proxy is what go made of the last commit.
gate_install() {
  local dir here=$PWD status=0
  dir=$(mktemp -d)
  (
    export GOFLAGS=-modcacherw GOSUMDB=off GOBIN=$dir/bin
    git clone --quiet --bare "file://$here" "$dir/origin" && git -C "$dir/origin" tag v0.99.0 && cd "$dir" &&
      GOPRIVATE=github.com/thm-suite/thm GOMODCACHE=$dir/made GIT_CONFIG_COUNT=1 \
        GIT_CONFIG_KEY_0=url.file://$dir/origin.insteadOf GIT_CONFIG_VALUE_0=https://github.com/thm-suite/thm \
        go mod download github.com/thm-suite/thm@v0.99.0 || exit
    size=$(wc -c <"made/cache/download/github.com/thm-suite/thm/@v/v0.99.0.zip") || exit
    echo "the archive of the module has $size bytes, of at most $ARCHIVE_LIMIT"
    [ "$size" -le "$ARCHIVE_LIMIT" ] || exit
    export GOMODCACHE=$dir/empty GOPROXY=file://$dir/made/cache/download,$(cd "$here" && go env GOPROXY)
    go install github.com/thm-suite/thm/cmd/{thm,benchgate}@latest && standalone "$dir/bin" v0.99.0
  ) || status=1
  chmod -R u+w "$dir"
  rm -rf "$dir"
  return $status
}

# gate_release makes everything of a release but the image, and runs what is in the archive of this system.
gate_release() {
  local dir platform status=0
  go run "$GORELEASER" check && go run "$GORELEASER" release --snapshot --clean --skip=docker --timeout 3h || return
  for platform in {linux,darwin}_{amd64,arm64}.tar.gz windows_{amd64,arm64}.zip; do
    [ -s "dist/thm_$platform" ] || { echo "dist/thm_$platform is missing"; status=1; }
  done
  (cd dist && sha256sum --check --quiet checksums.txt) && grep -q '"name": "gonum.org/v1/gonum"' dist/thm.cdx.json ||
    status=1
  dir=$(mktemp -d)
  tar -xzf "dist/thm_linux_$(go env GOARCH).tar.gz" -C "$dir" && standalone "$dir" devel || status=1
  rm -rf "$dir"
  return $status
}

# standalone FOLDER VERSION runs the commands of a folder in an empty one, with nothing else in PATH: all that they need
# is in them.
standalone() {
  local bin=$1 version=$2 dir status=0
  dir=$(mktemp -d)
  alone() { (cd "$dir" && env -i HOME="$dir" PATH="$dir" "$bin/$@") || { echo "failed: $*" >&2; return 1; }; }
  alone thm version | grep "^thm $version" && alone thm list >/dev/null && alone thm kernels --list >/dev/null &&
    alone thm check vcl/steps --effort quick --quiet && alone thm show vcl/steps >/dev/null &&
    alone thm try vcl/residual step=0.5 --reps 2 --quiet >/dev/null &&
    alone thm report reports/latest --out site && [ -s "$dir/site/claims/vcl/steps.html" ] &&
    alone benchgate --help >/dev/null || status=1
  rm -rf "$dir"
  return $status
}

# gate_shards [PATTERN...] asks for the same digest of a whole run, of one that is stopped again and again, of three
# shards that are joined, and of a join in two parts.
gate_shards() {
  local dir whole resumed joined parts status=0
  dir=$(mktemp -d) || return
  go build -o "$dir/thm" ./cmd/thm || return
  local check=("$dir/thm" check --effort quick --quiet "$@")
  whole=$("${check[@]}" --digest --out "$dir/whole") || status=1
  for _ in 1 2 3; do timeout --signal=TERM 5 "${check[@]}" --out "$dir/resumed" >"$dir/log" 2>&1 || true; done
  resumed=$("${check[@]}" --digest --out "$dir/resumed") || status=1
  for i in 1 2 3; do "${check[@]}" --shard "$i/3" --out "$dir/$i" >"$dir/log" || [ $? = 3 ] || status=1; done
  "$dir/thm" merge "$dir"/[123] --out "$dir/joined" >"$dir/log" || status=1
  joined=$("$dir/thm" digest "$dir/joined/results.json") || status=1
  for i in 1 2; do "$dir/thm" merge --shard "$i/2" "$dir"/[123] --out "$dir/judged$i" >"$dir/log" || status=1; done
  "$dir/thm" merge "$dir"/judged? --out "$dir/parts" >"$dir/log" || status=1
  parts=$("$dir/thm" digest "$dir/parts/results.json") || status=1
  printf '%s\n' "whole:   $whole" "resumed: $resumed" "joined:  $joined" "parts:   $parts"
  rm -rf "$dir"
  [ "$status" = 0 ] && [ -n "$whole" ] && [ "$whole" = "$resumed" ] && [ "$whole" = "$joined" ] && [ "$whole" = "$parts" ]
}

# What thm plan writes, on a real Slurm, with the static program that an empty root file system can run.
gate_slurm() {
  local dir status=0
  dir=$(mktemp -d) || return
  mkdir "$dir/tmp" &&
    CGO_ENABLED=0 go build -tags nodlblas -o "$dir/thm" ./cmd/thm &&
    chroot "$dir" /thm check vcl/linearity --effort quick --quiet --out /report &&
    .ci/slurm "$dir/thm" || status=1
  rm -rf "$dir"
  return $status
}
