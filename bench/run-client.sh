#!/usr/bin/env bash
# The .NET client against what it is built on: loads against a bare HttpClient, hits of its caches, bulk inserts against ready texts, fresh threads and
# stores, renewal behind readers. Each cell by turns within one process.
# usage: [REPS=3] bench/run-client.sh [CELL...]
#   JACKDAW_SERVER  the server's executable (default: the Release build of src/Server, built when missing)
set -u
cd "$(dirname "$0")/.."
. bench/peers/common.sh
PORT=18092
server=${JACKDAW_SERVER:-src/Server/bin/Release/net10.0/jackdaw}
[ -x "$server" ] || dotnet build -c Release -v q --nologo src/Server || exit 1
dotnet build -c Release -v q --nologo bench/Client || exit 1
rm -rf "$WORK/jackdaw-client"
"$server" --ServerUrl="http://127.0.0.1:$PORT" --DataDir="$WORK/jackdaw-client" >"$WORK/jackdaw-client.log" 2>&1 &
pid=$!
trap 'kill "$pid" 2>/dev/null; wait 2>/dev/null' EXIT
wait_for "http://127.0.0.1:$PORT/health/ready"
raw=$WORK/out/client.raw
: >"$raw"
for cell in "${@:-load hits bulk threads refresh requests}"; do
  for one in $cell; do
    bench/Client/bin/Release/net10.0/Jackdaw.ClientBench "http://127.0.0.1:$PORT" "$one" "$REPS" | tee -a "$raw"
  done
done
echo
summary "$raw"
