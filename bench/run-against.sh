#!/usr/bin/env bash
# Two builds of the server by turns: processor time and allocated bytes per operation of bulk insert, GET, PUT and
# batches of 100, and the time of a recovery after kill -9. Counts per operation, because rates on a shared machine say little.
# usage: [REPS=5] [SECS=4] [DOCS=100000] bench/run-against.sh EXECUTABLE_BEFORE EXECUTABLE_AFTER
set -u
cd "$(dirname "$0")/.."
. bench/peers/common.sh
REPS=${REPS:-5} SECS=${SECS:-4} DOCS=${DOCS:-100000} PORT=18190
BEFORE=${1:?the executable of before} AFTER=${2:?the executable of after}
raw=$WORK/out/against.raw
: >"$raw"
server=
trap '[ -z "$server" ] || kill -9 "$server" 2>/dev/null' EXIT

need wrk gcc libc6-dev curl nodejs
cc -O2 -o "$WORK/bulk-send" bench/Load/bulk-send.c || exit 1
sample=$WORK/sample.ndjson bulk=$WORK/orders-$DOCS.bulk data=$WORK/against-data
orders "$sample" 2000 --size 1024
orders "$bulk" "$DOCS" --size 1024 --ids scattered --format bulk

# start EXECUTABLE: returns when the server is ready.
start() {
  "$1" --ServerUrl="http://127.0.0.1:$PORT" --DataDir="$data" >"$WORK/against.log" 2>&1 &
  server=$!
  wait_for "health/ready"
}

wait_for() {
  local _
  for _ in $(seq 3000); do curl -sf -o /dev/null "http://127.0.0.1:$PORT/$1" && return; sleep 0.02; done
  echo "no answer from $1" >&2
  exit 1
}

allocated() { curl -sf "http://127.0.0.1:$PORT/metrics" | awk '/^dotnet_gc_heap_total_allocated_bytes_total/ { printf "%d", $NF }'; }

# spent NAME SIDE COMMAND...: runs the load, which prints the number of operations, and records what each cost.
spent() {
  local name=$1 side=$2 ticks bytes operations
  shift 2
  bytes=$(allocated) ticks=$(cpu_ticks "$server")
  operations=$("$@") || exit 1
  ticks=$(($(cpu_ticks "$server") - ticks)) bytes=$(($(allocated) - bytes))
  awk -v n="$operations" -v t="$ticks" -v b="$bytes" -v key="$name-$side" 'BEGIN {
    print key, "processor", t * 10000 / n, "us"; print key, "allocated", b / n, "bytes" }' >>"$raw"
}

bulk_load() {
  local id
  id=$(curl -sf "http://127.0.0.1:$PORT/databases/bench/operations/next-operation-id" | grep -oE '"Id":[0-9]+' | cut -d: -f2)
  "$WORK/bulk-send" "$PORT" "/databases/bench/bulk_insert?id=${id:-1}" "$bulk" | awk -v n="$DOCS" '$2 == 200 || $2 == 201 { print n; ok = 1 } END { exit !ok }'
}

# requests MODE CLIENTS SECONDS: prints the number of requests answered.
requests() {
  MODE=$1 DOCS=$DOCS SAMPLE=$sample DATABASE=bench wrk -t2 -c"$2" -d"$3s" --timeout 30s -s bench/Load/requests.lua "http://127.0.0.1:$PORT" |
    awk -v s="$3" '/requests in/ { n = $1 } /Non-2xx/ { bad = 1 } END { print n; exit bad || !n }'
}

# recovery SIDE EXECUTABLE: from the start of the process to the first document.
recovery() {
  local from
  kill -9 "$server"; wait "$server" 2>/dev/null
  from=$(date +%s%N)
  start "$2"
  wait_for "databases/bench/docs?id=orders/4294967291"
  echo "recovery-$1 time $((($(date +%s%N) - from) / 1000000)) ms" >>"$raw"
  echo "recovery-$1 processor $(($(cpu_ticks "$server") * 10)) ms" >>"$raw"
}

# side NAME EXECUTABLE: one half of a pair. The loads run once before they are measured: compiling costs more than they do.
side() {
  rm -rf "$data"
  start "$2"
  curl -sf -o /dev/null -X PUT -H 'Content-Type: application/json' -d '{"DatabaseName":"bench"}' \
    "http://127.0.0.1:$PORT/admin/databases?name=bench&replicationFactor=1" || exit 1
  bulk_load >/dev/null || exit 1
  spent bulk "$1" bulk_load
  for mode in get put bulk-docs; do requests "$mode" 16 2 >/dev/null || exit 1; done
  spent get "$1" requests get 32 "$SECS"
  spent put "$1" requests put 32 "$SECS"
  spent bulk-docs "$1" requests bulk-docs 8 "$SECS"
  recovery "$1" "$2"
  kill "$server"; wait "$server" 2>/dev/null
  server=
}

for repetition in $(seq "$REPS"); do
  if ((repetition % 2)); then side before "$BEFORE"; side after "$AFTER"; else side after "$AFTER"; side before "$BEFORE"; fi
done
summary "$raw"
