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

gate_cross() { GOARCH=arm64 go build ./... && GOARCH=arm64 go vet ./impl/... ./props/kernelkit/...; }

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
  go test -run '^$' -bench "$1" -benchtime 1x ./bench 2>&1 | tee "$log" || status=1
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
