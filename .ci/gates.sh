# The gates, one function each. A gate looks at the module in the current directory, prints what it finds, and
# returns non-zero if the module must not pass. Sourced by .ci/run, which applies them, and by .ci/selftest, which
# shows that each can fail.
#
# bash switches `set -e` off inside a function whose status is tested, so every command that matters says `|| return`.

STATICCHECK=honnef.co/go/tools/cmd/staticcheck@v0.8.2

gate_gofmt() {
  local files
  files=$(gofmt -l .) || return 1
  [ -z "$files" ] && return 0
  echo "gofmt would change:"
  echo "$files"
  return 1
}

gate_vet() { go vet ./...; }

gate_staticcheck() { go run "$STATICCHECK" ./...; }

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

gate_test() { run_tests go test ./...; }

# Runs and counts the tests. A skipped test is named with its reason: it is no pass.
gate_count() {
  local log status=0 passed skipped failed
  log=$(mktemp)
  go test -v ./... >"$log" 2>&1 || status=1
  if [ $status -eq 0 ]; then
    grep -E '^(ok|\?)' "$log" || true
    grep -E -B1 --no-group-separator '^ *--- SKIP' "$log" || true
  else
    grep -Ev '^(=== |PASS$)|^ *--- PASS' "$log" || true
  fi
  passed=$(grep -cE '^ *--- PASS' "$log" || true)
  skipped=$(grep -cE '^ *--- SKIP' "$log" || true)
  failed=$(grep -cE '^ *--- FAIL' "$log" || true)
  rm -f "$log"
  echo "$passed tests passed, $skipped skipped, $failed failed"
  [ "$passed" -gt 0 ] && return $status
}

gate_race() { run_tests go test -short -race "$@"; }

# The kernels without assembly, as other architectures and the race detector have them.
gate_portable() { run_tests go test -tags noasm ./impl/...; }

# Where the compiler fuses multiplications and additions, the portable kernels compute the same bits: the digest is pinned.
gate_fused() {
  GOAMD64=v3 run_tests go test -short -run TestDeterminism ./impl/blas
}

# Builds and vets for the systems and architectures given as os/arch. Nothing is run.
gate_cross() {
  local platform
  [ $# -gt 0 ] || { echo "no platform was named"; return 1; }
  for platform in "$@"; do
    echo "$platform"
    GOOS=${platform%/*} GOARCH=${platform#*/} go build ./... || return
    GOOS=${platform%/*} GOARCH=${platform#*/} go vet ./... || return
  done
}

# emulated DEADLINE WHAT COMMAND... runs one part of gate_arm64 in the time that is left, and shows the end of what it printed. A part that is not
# finished by then is left out, which is said here and again at the end.
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

# The tests and the quick check of arm64, run by the emulator given, in about as many seconds as given: seven to nine
# minutes on two cores get through everything. It must get through the kernels, which come first. Left out for time are
# the packages of claims, of which `thm check` runs those that take the least, the gates of the catalogue, the
# experiments, three tests of impl/linalg that factorise hundreds of matrices, what lies above props, and
# TestHarnessFromOutside, which starts processes of its own that no emulator runs.
gate_arm64() {
  local emulator=$1 deadline=$((SECONDS + $2)) status=0 passed_parts=0 dir
  left_out=() # for .ci/run, which names them again at the end
  dir=$(mktemp -d)
  local -x GOARCH=arm64 CGO_ENABLED=0 QEMU_LD_PREFIX=${QEMU_LD_PREFIX-/usr/aarch64-linux-gnu}
  emulated "$deadline" 'impl/blas' go test -short -exec "$emulator" ./impl/blas || status=1
  [ "$passed_parts" -eq 1 ] || { echo "impl/blas did not pass"; rm -rf "$dir"; return 1; }
  emulated "$deadline" 'impl/blas, nothing fused' go test -short -exec "$emulator" -run TestDeterminism \
    -gcflags=github.com/thm-suite/thm/...=-d=fmahash=n ./impl/blas || status=1
  emulated "$deadline" 'theory and the rest of impl' go test -short -exec "$emulator" \
    -skip 'TestSymEigenRatiosOnTheGallery|TestNoConvergenceIsAnErrorWithTheResidual|TestSVDRatiosOnTheGallery' \
    ./theory/... $(go list ./impl/... | grep -v /blas) || status=1
  if go build -o "$dir/thm" ./cmd/thm; then
    emulated "$deadline" 'thm kernels' "$emulator" "$dir/thm" kernels --no-speed --quiet || status=1
    local slug
    for slug in "${ARM64_CLAIMS[@]}"; do
      emulated "$deadline" "thm check $slug" "$emulator" "$dir/thm" check --effort quick --quiet --out "$dir/out" "$slug" || status=1
    done
  else
    status=1
  fi
  emulated "$deadline" 'props' go test -short -exec "$emulator" -skip '^TestHarnessFromOutside$' ./props ./internal/stat || status=1
  rm -rf "$dir"
  if [ "${#left_out[@]}" -gt 0 ]; then
    printf 'left out, for lack of time: %s\n' "${left_out[@]}"
  fi
  return "$status"
}

# The claims that gate_arm64 checks: those that take less than 20 s of processor time under qemu.
ARM64_CLAIMS=(vcl/equation vcl/firstorder vcl/whitening vcl/logistic vcl/softmax vcl/algorithm1 vcl/convolution vcl/residual)

# The kill matrix of the conformance kit must be complete, and our kernels and gonum's must do as expected.
gate_kernels() {
  local log status=0
  log=$(mktemp)
  go run ./cmd/thm kernels --faults --quiet >"$log" || status=1
  go run ./cmd/thm kernels --no-speed --quiet "$@" >>"$log" || status=1
  grep -E ' faults rejected$|^[✓✗] ' "$log" || status=1
  [ $status -eq 0 ] || cat "$log"
  rm -f "$log"
  return $status
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
gate_regression() { ${THM:-go run ./cmd/thm} bench gate "$1" "$2"; }

gate_docs() { go run ./cmd/thm docs --check; }

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

# The README promises these commands; the clean clone runs them.
gate_promise() {
  local command status=0
  for command in 'go run ./cmd/thm check' 'go test ./...'; do
    if ! grep -qxF "$command" README.md; then
      echo "README.md does not show the command: $command"
      status=1
    fi
  done
  return $status
}
