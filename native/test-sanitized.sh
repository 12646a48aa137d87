#!/usr/bin/env bash
# The platform layer's tests on a libpal with address and undefined-behaviour checks. Usage: native/test-sanitized.sh
# Needs a Debug build of the tests and a C compiler with its sanitizer libraries. What they find ends the run.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "$(uname -s)" = Linux ] || { echo "libpal: the sanitized run is for Linux" >&2; exit 1; }
compiler=${CC:-cc}
folder=artifacts/sanitized
rm -rf "$folder"
mkdir -p artifacts
cp -r test/Pal.Tests/bin/Debug/net10.0 "$folder"
native/build.sh "$folder/runtimes" sanitized

# The runtime uses signals of its own, and never frees what it keeps until its end.
export ASAN_OPTIONS=detect_leaks=0:handle_segv=0:use_sigaltstack=0:abort_on_error=1
export LD_PRELOAD="$("$compiler" -print-file-name=libasan.so):$("$compiler" -print-file-name=libubsan.so)"
exec dotnet test "$folder/Jackdaw.Pal.Tests.dll" --nologo
