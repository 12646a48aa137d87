#!/usr/bin/env bash
# Pages in Debian's Chromium: the web sample (a server in memory, two programs with a cache each), a login of a person at a secured server, and the
# Studio, whose types and libraries are checked first. Pictures: artifacts/browser.
# usage: test/Browser/run.sh    JACKDAW_SERVER, CITIES_WEB, CHROMIUM: executables (default: the Release builds, made when missing; Debian's, installed
#                               when missing)    Ends with "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/programs.sh
trap 'code=$?; if [ $code != 0 ] && [ -z "${reported:-}" ]; then echo "browser: stopped before its checks (exit $code)"; echo "0 passed, 1 failed"; fi' EXIT

# built PROJECT EXECUTABLE: the path of the executable, which is built when it is not there.
built() {
  local executable=$1/bin/Release/net10.0/$2
  [ -x "$executable" ] || dotnet build "$1" -c Release -v q --nologo >&2
  realpath "$executable"
}

JACKDAW_SERVER=${JACKDAW_SERVER:-$(built src/Server jackdaw)}
CITIES_WEB=${CITIES_WEB:-$(built samples/Cities.Web Jackdaw.Cities.Web)}
CHROMIUM=${CHROMIUM:-/usr/bin/chromium}
export JACKDAW_SERVER CITIES_WEB CHROMIUM
[ -x "$CHROMIUM" ] || install_packages chromium
find_node

# A folder filled from an older lock file is filled again.
[ test/Browser/node_modules/.package-lock.json -nt test/Browser/package-lock.json ] ||
  (cd test/Browser && npm ci --no-audit --no-fund --loglevel=error)
[ src/Studio/node_modules/.package-lock.json -nt src/Studio/package-lock.json ] || (cd src/Studio && npm ci --no-audit --no-fund --loglevel=error)
(cd src/Studio && npx tsc -p jsconfig.json && node libraries.js)
"$node" --test test/Browser/studio/*.test.mjs
rm -rf artifacts/browser
mkdir -p artifacts/browser
echo "browser: node $("$node" --version)"
reported=1
"$node" test/Browser/cities.js artifacts/browser
