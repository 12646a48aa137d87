# Sourced by .ci/run and .ci/nightly: stages with their seconds, one sum of passed and failed over all of them.
# A stage that fails counts as one failure, unless test results it wrote say which tests failed.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
. .ci/programs.sh
exec </dev/null
export CI=${CI:-true} DEBIAN_FRONTEND=noninteractive DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_SKIP_FIRST_TIME_EXPERIENCE=1
# Build nodes that outlive the run would hold its output open.
export MSBUILDDISABLENODEREUSE=1 DOTNET_CLI_USE_MSBUILD_SERVER=0
results=artifacts/test-results
logs=artifacts/logs
rm -rf "$results" "$logs"
mkdir -p "$results" "$logs"
passed=0
failed=0
summary=()
failures=()

# One line at the very end, whatever happened before it.
finish() {
  local seconds=$SECONDS line
  echo
  for line in "${failures[@]}" "${summary[@]}"; do echo "$line"; done
  printf '%-34s %5s s\n' "all stages" "$seconds"
  echo "$passed passed, $failed failed"
  if [ "$failed" = 0 ] && [ "$passed" -gt 0 ]; then exit 0; else exit 1; fi
}
trap finish EXIT
trap 'failed=$((failed + 1)); exit 1' INT TERM

# stage NAME COMMAND...: runs it with its output shown and kept, says how long it took; returns what the command
# returned.
stage() {
  local name=$1 start=$SECONDS code
  shift
  echo
  echo "== $name"
  "$@" 2>&1 | tee "$logs/${name// /-}.log"
  code=${PIPESTATUS[0]}
  summary+=("$(printf '%-34s %5s s  %s' "$name" "$((SECONDS - start))" "$([ "$code" = 0 ] && echo ok || echo "FAILED ($code)")")")
  echo "== $name: $((SECONDS - start)) s, exit $code"
  return "$code"
}

# must NAME COMMAND...: a stage that counts as one failed check when it fails, and as none when it works.
must() { stage "$@" || { failed=$((failed + 1)); return 1; }; }

# counters FOLDER: "passed failed" summed over the result files of a test run.
counters() {
  find "$1" -name '*.trx' -exec grep -ho '<Counters [^>]*>' {} + 2>/dev/null | awk '
    function value(name,  at) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : 0 }
    { good += value("passed"); bad += value("failed") + value("error") + value("timeout") + value("aborted") }
    END { print good + 0, bad + 0 }'
}

# failed_tests FOLDER: a line for each failed test in the result files of a run, with how its message begins.
failed_tests() {
  find "$1" -name '*.trx' -exec cat {} + | awk '
    /<UnitTestResult .*outcome="(Failed|Error|Timeout|Aborted)"/ { match($0, /testName="[^"]*"/); name = substr($0, RSTART + 10, RLENGTH - 11) }
    name != "" && /<Message>/ { sub(/.*<Message>/, ""); message = $0; getline; print "FAILED  " name ": " message " " $0; name = "" }
    /<\/UnitTestResult>/ && name != "" { print "FAILED  " name; name = "" }'
}

# tests NAME ARGUMENTS...: dotnet test with these arguments; adds its counts. Projects run side by side, as many as there are processors, in the
# order of Server.sln, where the longest come first; with -m:1 one after the other. A run that dies without naming a failed test is a failure of its own.
tests() {
  local name=$1 folder="$results/${1// /-}" code=0 good bad line
  shift
  mkdir -p "$folder"
  stage "$name" dotnet test "$@" --no-build --nologo -p:WriteTestResults=true --results-directory "$folder" || code=$?
  read -r good bad < <(counters "$folder")
  if [ "$code" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
  passed=$((passed + good))
  failed=$((failed + bad))
  grep -rhoE 'house: [^<]*' "$folder" --include='*.trx' | sort -u
  while read -r line; do failures+=("$line"); done < <(failed_tests "$folder")
  echo "== $name: $good passed, $bad failed"
}

# script_tests NAME COMMAND...: a test program that ends with the line "N passed, N failed".
script_tests() {
  local name=$1 code=0 line failure
  stage "$@" || code=$?
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$logs/${name// /-}.log" | tail -n 1)
  if [ -n "$line" ]; then
    passed=$((passed + ${line%% *}))
    line=${line#* passed, }
    failed=$((failed + ${line%% *}))
    while read -r failure; do failures+=("$failure"); done < <(grep -E '^FAILED' "$logs/${name// /-}.log")
    if [ "$code" != 0 ] && [ "${line%% *}" = 0 ]; then failed=$((failed + 1)); fi
  else
    failed=$((failed + 1))
  fi
}

# build_release ARGUMENTS...: what is measured, packed, or tested in Release, and the benchmarks. Its sources have passed the strict build in Debug,
# or pass the nightly format stage, so this build need not be strict.
build_release() { dotnet build .ci/release.slnf -c Release -p:Strict=false -v q --nologo "$@"; }

# restore_all: a restore of the solution leaves out what its Debug configuration does not build; the second one has the benchmarks.
restore_all() { dotnet restore Server.sln && dotnet restore .ci/release.slnf -p:Configuration=Release; }

# install_missing: what the build and the tests call, from the distribution, only what is not there.
install_missing() {
  local packages=()
  command -v cc >/dev/null || packages+=(gcc libc6-dev)
  command -v node >/dev/null || packages+=(nodejs)
  command -v npm >/dev/null || packages+=(npm)
  command -v curl >/dev/null || packages+=(curl)
  command -v git >/dev/null || packages+=(git)
  command -v strace >/dev/null || packages+=(strace) # end to end: counts durable writes
  if [ ${#packages[@]} != 0 ]; then install_packages "${packages[@]}" || return 1; fi
  command -v dotnet >/dev/null || { echo "Missing: the .NET SDK that global.json names."; return 1; }
  echo "dotnet $(dotnet --version), node $(node --version), npm $(npm --version), cc $(cc -dumpversion)"
}

# fetch_zig: the compiler of the native library; the build of the solution finds it.
fetch_zig() { bash native/fetch-zig.sh; }

# native_all: the native library for every platform that is shipped.
native_all() { fetch_zig && bash native/build.sh artifacts/native all; }
