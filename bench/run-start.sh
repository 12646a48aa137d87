#!/usr/bin/env bash
# From the start of the published server to the first answer to a GET of a document: an empty database, one of a million
# documents that was closed in order, and the same after a kill with 1 GB of journal that was never flushed.
# usage: [REPS=3] [DOCS=1000000] [JOURNAL_BYTES=1073741824] bench/run-start.sh
set -u
cd "$(dirname "$0")/.."
. bench/peers/common.sh
DOCS=${DOCS:-1000000} JOURNAL_BYTES=${JOURNAL_BYTES:-1073741824}
PORT=18090
URL=http://127.0.0.1:$PORT
raw=$WORK/out/start.raw
: >"$raw"
trap 'kill "${SERVER_PID:-}" 2>/dev/null; wait 2>/dev/null' EXIT

need gcc libc6-dev curl nodejs
cc -O2 -o "$WORK/bulk-send" bench/Load/bulk-send.c || exit 1
bulk=$WORK/orders-$DOCS.bulk
orders "$bulk" "$DOCS" --size 1024 --ids scattered --format bulk
dotnet build bench/Documents -c Release -v q --nologo >"$WORK/start.log" || { tail -n 5 "$WORK/start.log"; exit 1; }
dotnet publish src/Server -c Release --use-current-runtime --self-contained true -p:PublishReadyToRun=true -o "$WORK/published" \
  >"$WORK/start.log" || { tail -n 5 "$WORK/start.log"; exit 1; }
server=$WORK/published/jackdaw

now_ms() { date +%s%3N; }

# start FOLDER: starts the server; its pid is SERVER_PID, the moment before is STARTED.
start() {
  STARTED=$(now_ms)
  "$server" --ServerUrl="$URL" --DataDir="$1" >"$WORK/start-server.log" 2>&1 &
  SERVER_PID=$!
}

stop() {
  kill "$SERVER_PID"
  wait "$SERVER_PID" 2>/dev/null
}

# first_get PATH: waits until it is answered by 200; prints milliseconds since the start.
first_get() {
  local _
  for _ in $(seq 6000); do
    [ "$(curl -s -o /dev/null -w '%{http_code}' "$URL$1")" = 200 ] && { echo $(($(now_ms) - STARTED)); return; }
    sleep 0.005
  done
  echo "no answer to $1" >&2
  exit 1
}

# create FOLDER: a server with the database "bench", running.
create() {
  rm -rf "$1"
  start "$1"
  first_get /health/ready >/dev/null
  curl -sf -o /dev/null -X PUT -H 'Content-Type: application/json' -d '{"DatabaseName":"bench"}' \
    "$URL/admin/databases?name=bench&replicationFactor=1" || exit 1
}

# cell NAME FOLDER DOCUMENT: one start; the page cache is warm, as after a restart of the process.
cell() {
  start "$2"
  echo "$1 first_get $(first_get "/databases/bench/docs?id=$3") ms" >>"$raw"
  echo "$1 anonymous_memory $(awk '/^RssAnon/ { print int($2 / 1024) }' "/proc/$SERVER_PID/status") MB" >>"$raw"
  stop
}

create "$WORK/start-empty"
curl -sf -o /dev/null -X PUT -d '{}' "$URL/databases/bench/docs?id=orders/4294967291" || exit 1
stop
create "$WORK/start-million"
"$WORK/bulk-send" $PORT "/databases/bench/bulk_insert?id=1" "$bulk" | awk '{ exit $2 >= 300 }' || exit 1
stop
for _ in $(seq "$REPS"); do
  cell start-empty "$WORK/start-empty" orders/4294967291
  cell start-million "$WORK/start-million" orders/4294967291
  rm -rf "$WORK/start-killed"
  cp -r "$WORK/start-million" "$WORK/start-killed"
  bench/Documents/bin/Release/net10.0/Jackdaw.DocumentsBench journal "$WORK/start-killed/Databases/bench" "$JOURNAL_BYTES" 2>/dev/null
  du -sm "$WORK/start-killed/Databases/bench/Journals" | awk '{ print "start-killed journals", $1, "MB" }' >>"$raw"
  sync
  cell start-killed "$WORK/start-killed" orders/4294967291
done
rm -rf "$WORK/start-empty" "$WORK/start-million" "$WORK/start-killed"

report=bench/results/$(date -u +%Y-%m-%d)-start.md
{
  echo "# First answer after a start"
  echo
  echo "- Commit $(git describe --always --dirty), $(date -u +%Y-%m-%d), \`bench/run-start.sh\` with REPS=$REPS DOCS=$DOCS JOURNAL_BYTES=$JOURNAL_BYTES"
  echo "- $(nproc) cores, $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs), $(free -g | awk '/^Mem/ { print $2 }') GiB, kernel $(uname -r);" \
    "published self-contained with ReadyToRun; from before the start of the process to the answer of a GET of one document, polled with curl"
  echo
  echo '```'
  summary "$raw"
  echo '```'
} >"$report"
cat "$report"
