#!/usr/bin/env bash
# Two builds of the server by turns, and the first one once more as a control: time, processor time and allocated bytes per operation of
# bulk insert, GET, PUT of 32 clients and of one, batches of 100 and queries of an index, the time of a start, and of a recovery after
# kill -9. Counts per operation, because rates on a shared machine say little. Prints the median of each side, and the median of the ratios of each repetition.
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

# ratios FILE: medians of after / before and control / before over the repetitions.
ratios() {
  awk '{ cut = match($1, /-(before|after|control)$/); key = substr($1, 1, cut - 1) " " $2; side = substr($1, cut + 1)
      if (!(key in known)) { known[key] = 1; order[++keys] = key } v[key, side, ++n[key, side]] = $3 }
    function median(key, side, m, j, x, y, t, a) { m = n[key, "before"]
      for (j = 1; j <= m; j++) a[j] = v[key, side, j] / (v[key, "before", j] ? v[key, "before", j] : 1)
      for (x = 2; x <= m; x++) { t = a[x]; for (y = x - 1; y >= 1 && a[y] > t; y--) a[y + 1] = a[y]; a[y + 1] = t }
      return m % 2 ? a[(m + 1) / 2] : (a[m / 2] + a[m / 2 + 1]) / 2 }
    END { for (i = 1; i <= keys; i++) printf "ratio %s after %.3f control %.3f\n", order[i], median(order[i], "after"), median(order[i], "control") }' "$1"
}

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

allocated() { curl -sf "http://127.0.0.1:$PORT/metrics" | awk '/^dotnet_gc_heap_total_allocated_bytes_total/ { printf "%.0f", $NF }'; }

# spent NAME SIDE COMMAND...: runs the load, which prints the number of operations, and records what each cost.
spent() {
  local name=$1 side=$2 ticks bytes operations from elapsed
  shift 2
  bytes=$(allocated) ticks=$(cpu_ticks "$server") from=$(date +%s%N)
  operations=$("$@") || exit 1
  elapsed=$((($(date +%s%N) - from) / 1000))
  ticks=$(($(cpu_ticks "$server") - ticks)) bytes=$(($(allocated) - bytes))
  awk -v n="$operations" -v t="$ticks" -v b="$bytes" -v us="$elapsed" -v key="$name-$side" 'BEGIN {
    print key, "time", us / n, "us"; print key, "processor", t * 10000 / n, "us"; print key, "allocated", b / n, "bytes" }' >>"$raw"
}

bulk_load() {
  local id
  id=$(curl -sf "http://127.0.0.1:$PORT/databases/bench/operations/next-operation-id" | grep -oE '"Id":[0-9]+' | cut -d: -f2)
  "$WORK/bulk-send" "$PORT" "/databases/bench/bulk_insert?id=${id:-1}" "$bulk" | awk -v n="$DOCS" '$2 == 200 || $2 == 201 { print n; ok = 1 } END { exit !ok }'
}

# requests MODE CLIENTS SECONDS: prints the number of requests answered.
requests() {
  local threads=$(($2 > 1 ? 2 : 1))
  MODE=$1 DOCS=$DOCS SAMPLE=$sample DATABASE=bench wrk -t"$threads" -c"$2" -d"$3s" --timeout 30s -s bench/Load/requests.lua "http://127.0.0.1:$PORT" |
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

# starting SIDE EXECUTABLE: a start after a stop in order, to the first document.
starting() {
  local from
  kill "$server"; wait "$server" 2>/dev/null
  from=$(date +%s%N)
  start "$2"
  wait_for "databases/bench/docs?id=orders/4294967291"
  echo "start-$1 time $((($(date +%s%N) - from) / 1000000)) ms" >>"$raw"
  echo "start-$1 processor $(($(cpu_ticks "$server") * 10)) ms" >>"$raw"
}

# side NAME EXECUTABLE: one of the three of a repetition. The loads run once before they are measured: compiling costs more than they do.
side() {
  rm -rf "$data"
  start "$2"
  curl -sf -o /dev/null -X PUT -H 'Content-Type: application/json' -d '{"DatabaseName":"bench"}' \
    "http://127.0.0.1:$PORT/admin/databases?name=bench&replicationFactor=1" || exit 1
  bulk_load >/dev/null || exit 1
  spent bulk "$1" bulk_load
  curl -sf -o /dev/null -X POST -H 'Content-Type: application/json' "http://127.0.0.1:$PORT/databases/bench/queries" \
    -d '{"Query":"from Orders where Company = \"companies/1\"","WaitForNonStaleResults":true,"WaitForNonStaleResultsTimeout":"00:05:00"}' || exit 1
  requests query 16 2 >/dev/null || exit 1
  spent query "$1" requests query 16 "$SECS"
  curl -sf -o /dev/null -X DELETE "http://127.0.0.1:$PORT/databases/bench/indexes?name=Auto/Orders/ByCompany" || exit 1
  for mode in get put bulk-docs; do requests "$mode" 16 2 >/dev/null || exit 1; done
  spent get "$1" requests get 32 "$SECS"
  spent put "$1" requests put 32 "$SECS"
  requests put 1 1 >/dev/null || exit 1
  spent put-alone "$1" requests put 1 "$SECS"
  spent bulk-docs "$1" requests bulk-docs 8 "$SECS"
  recovery "$1" "$2"
  starting "$1" "$2"
  kill "$server"; wait "$server" 2>/dev/null
  server=
}

# The order turns, so that no side is always the first on a warm machine.
sides=(before control after)
for repetition in $(seq "$REPS"); do
  for i in 0 1 2; do
    name=${sides[$(((i + repetition) % 3))]}
    [ "$name" = after ] && side after "$AFTER" || side "$name" "$BEFORE"
  done
done
summary "$raw"
ratios "$raw"
