#!/usr/bin/env bash
# The whole server beside its ceilings and peers: Jackdaw, bare Kestrel, PostgreSQL and Redis, cell by cell in the same
# run, so that a disk that stalls hits them alike. Writes medians, ratios and raw figures to bench/results/.
# usage: [REPS=3] [SECS=4] [DOCS=1000000] [CLIENTS="1 8 32 128"] [PEERS="jackdaw kestrel postgres redis"] bench/run-http.sh
#   JACKDAW_SERVER  the server's executable (default: the Release build of src/Server, built when missing)
set -u
cd "$(dirname "$0")/.."
PEERS_WANTED=${PEERS:-jackdaw kestrel postgres redis}
. bench/peers/common.sh
SECS=${SECS:-4} DOCS=${DOCS:-1000000} CLIENTS=${CLIENTS:-1 8 32 128}
WARM_SECS=3
JACKDAW_PORT=18090 KESTREL_PORT=18091
raw=$WORK/out/http.raw
: >"$raw"
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; done; wait 2>/dev/null; [ -z "${PG_RUNNING:-}" ] || pg_down' EXIT
has() { [[ " $PEERS_WANTED " == *" $1 "* ]]; }

need wrk gcc libc6-dev curl nodejs
cc -O2 -o "$WORK/bulk-send" bench/Load/bulk-send.c || exit 1
sample=$WORK/sample.ndjson
bulk=$WORK/orders-$DOCS.bulk
orders "$sample" 2000 --size 1024
orders "$bulk" "$DOCS" --size 1024 --ids scattered --format bulk

start_jackdaw() {
  local server=${JACKDAW_SERVER:-src/Server/bin/Release/net10.0/jackdaw}
  [ -x "$server" ] || dotnet build src/Server -c Release -v q --nologo || exit 1
  rm -rf "$WORK/jackdaw-data"
  "$server" --ServerUrl="http://127.0.0.1:$JACKDAW_PORT" --DataDir="$WORK/jackdaw-data" >"$WORK/jackdaw.log" 2>&1 &
  pids+=($!)
  JACKDAW_PID=$!
  wait_for "http://127.0.0.1:$JACKDAW_PORT/health/ready"
}

start_kestrel() {
  dotnet build bench/peers/kestrel -c Release -v q --nologo >"$WORK/kestrel.log" || { tail -n 5 "$WORK/kestrel.log"; exit 1; }
  bench/peers/kestrel/bin/Release/net10.0/Jackdaw.BareKestrel "$KESTREL_PORT" >>"$WORK/kestrel.log" 2>&1 &
  pids+=($!)
  KESTREL_PID=$!
  wait_for "http://127.0.0.1:$KESTREL_PORT/"
}

create_database() {
  curl -sf -o /dev/null -X PUT -H 'Content-Type: application/json' -d "{\"DatabaseName\":\"$1\"}" \
    "http://127.0.0.1:$JACKDAW_PORT/admin/databases?name=$1&replicationFactor=1" || { echo "could not create database $1" >&2; exit 1; }
}

# load_jackdaw DATABASE: all documents by one bulk-insert stream; prints documents per second.
load_jackdaw() {
  local id
  create_database "$1"
  id=$(curl -sf "http://127.0.0.1:$JACKDAW_PORT/databases/$1/operations/next-operation-id" | grep -oE '"Id":[0-9]+' | cut -d: -f2)
  "$WORK/bulk-send" "$JACKDAW_PORT" "/databases/$1/bulk_insert?id=${id:-1}" "$bulk" |
    awk -v n="$DOCS" '$2 >= 200 && $2 < 300 { print n / $1; ok = 1 } END { exit !ok }' || { echo "bulk insert failed" >&2; exit 1; }
}

# load_with PEER MODE CLIENTS PORT PID DOCUMENTS_PER_REQUEST: one cell of wrk; rate, latencies, errors and the server's
# share of one core.
load_with() {
  local peer=$1 mode=$2 clients=$3 port=$4 pid=$5 per=$6 threads=1 before after result
  [ "$clients" -ge 8 ] && threads=2
  before=$(cpu_ticks "$pid")
  result=$(MODE=$mode DOCS=$DOCS SAMPLE=$sample DATABASE=bench ETAG=${ETAG:-} ETAG_PATH=${ETAG_PATH:-} \
    wrk -t"$threads" -c"$clients" -d"${SECS}s" --timeout 30s -s bench/Load/requests.lua "http://127.0.0.1:$port" | grep '^RESULT')
  after=$(cpu_ticks "$pid")
  [ -n "$result" ] || { echo "$peer $mode $clients: wrk printed no result" >&2; return; }
  echo "$result" | awk -v cell="$mode-c$clients-$peer" -v per="$per" -v cpu="$((after - before))" -v secs="$SECS" '{
    print cell, "rate", $2 * per, "docs/s"; print cell, "p50", $3, "us"; print cell, "p99", $4, "us"; print cell, "cpu", cpu / secs, "percent"
    if ($6 > 0) print cell, "errors", $6, "requests" }' >>"$raw"
}

# The change vector of one loaded document, for requests that must be answered by 304.
find_etag() {
  ETAG_PATH="/databases/bench/docs?id=orders/4294967291"
  ETAG=$(curl -s -D - -o /dev/null "http://127.0.0.1:$JACKDAW_PORT$ETAG_PATH" | tr -d '\r' | awk 'tolower($1) == "etag:" { print $2 }')
  [ -n "$ETAG" ] || echo "no ETag for a loaded document: the not-modified cells mean nothing" >&2
  export ETAG ETAG_PATH
}

# cell MODE CLIENTS: the same load on every peer, one after the other.
cell() {
  local mode=$1 clients=$2 per=1
  [ "$mode" = bulk-docs ] && per=100
  has jackdaw && load_with jackdaw "$mode" "$clients" "$JACKDAW_PORT" "$JACKDAW_PID" $per
  has kestrel && load_with kestrel "$mode" "$clients" "$KESTREL_PORT" "$KESTREL_PID" $per
  if has postgres; then
    case $mode in
      put) pg_bench "put" one.sql "$clients" 1 "$SECS" ;;
      get) pg_bench "get" get.sql "$clients" 1 "$SECS" ;;
      bulk-docs) pg_bench "bulk-docs" hundred.sql "$clients" 100 "$SECS" ;;
    esac | sed -E 's/^([^ ]+) /\1-postgres /' >>"$raw"
  fi
  if has redis && [ "$mode" = put ]; then redis_bench "$clients" "$SECS" >>"$raw"; fi
}

# Loads first: they are cells of their own (bulk insert and COPY), and what the others run against.
for repetition in $(seq "$REPS"); do
  if has jackdaw; then
    if [ "$repetition" = 1 ]; then start_jackdaw; database=bench; else database=bulk$repetition; fi
    rate=$(load_jackdaw $database) || exit 1
    echo "bulk-c1-jackdaw rate $rate docs/s" >>"$raw"
  fi
  if has postgres; then
    if [ "$repetition" = 1 ]; then . bench/peers/postgres.sh; pg_scripts "$DOCS"; pg_up; PG_RUNNING=1; fi
    pg_load "$DOCS"
    awk -v n="$DOCS" -v s="$LOAD_SECONDS" 'BEGIN { print "bulk-c1-postgres rate", n / s, "docs/s" }' >>"$raw"
  fi
done
has kestrel && start_kestrel
if has redis; then . bench/peers/redis.sh; redis_up "$DOCS"; pids+=("$REDIS_PID"); fi
ETAG='"A:1"' ETAG_PATH=/
has jackdaw && find_etag

# Compiled code first: a cell of tiered compilation warming up is no measurement.
for mode in get put; do
  for port in $(has jackdaw && echo $JACKDAW_PORT) $(has kestrel && echo $KESTREL_PORT); do
    MODE=$mode DOCS=$DOCS SAMPLE=$sample DATABASE=bench wrk -t2 -c32 -d${WARM_SECS}s -s bench/Load/requests.lua "http://127.0.0.1:$port" >/dev/null
  done
done

for _ in $(seq "$REPS"); do
  # Reads before writes: the first repetition reads exactly what was loaded.
  for clients in $CLIENTS; do cell get "$clients"; done
  for clients in $CLIENTS; do cell put "$clients"; done
  cell mix 128
  cell not-modified 128
  cell bulk-docs 8
done

mkdir -p bench/results
report=bench/results/$(date -u +%Y-%m-%d)-http.md
{
  echo "# HTTP beside its ceilings and a peer"
  echo
  echo "- Commit $(git describe --always --dirty), $(date -u +%Y-%m-%d), \`bench/run-http.sh\` with REPS=$REPS SECS=$SECS DOCS=$DOCS"
  echo "- $(nproc) cores, $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs), $(free -g | awk '/^Mem/ { print $2 }') GiB," \
    "kernel $(uname -r), $(stat -f -c %T "$WORK"), load average before the report $(cut -d' ' -f1 /proc/loadavg)"
  echo "- Load generators share the cores with the servers. kestrel: bare middleware, no storage. postgres: jsonb, pgbench, prepared, synchronous_commit=on." \
    "redis: SET of a plain value, appendfsync always."
  echo
  echo "| load | clients | jackdaw docs/s | p50 / p99 us | kestrel | postgres | redis | jackdaw : kestrel | jackdaw : postgres | jackdaw : redis |"
  echo "|---|---|---|---|---|---|---|---|---|---|"
  summary "$raw" | awk '
    { split($1, part, "-"); peer = part[length(part)]; row = substr($1, 1, length($1) - length(peer) - 1)
      if (!(row in seen)) { seen[row] = 1; order[++rows] = row }
      value[row, peer, $2] = $3; low[row, peer, $2] = substr($5, 5); high[row, peer, $2] = substr($6, 5) }
    function metric(row, peer, name) { return (row, peer, name) in value ? value[row, peer, name] : "-" }
    function number(row, peer) {
      if (!((row, peer, "rate") in value)) return "-"
      return sprintf("%.0f [%.0f..%.0f]", value[row, peer, "rate"], low[row, peer, "rate"], high[row, peer, "rate"])
    }
    function ratio(row, peer) {
      if (value[row, peer, "rate"] == 0 || !((row, "jackdaw", "rate") in value)) return "-"
      return sprintf("%.2f", value[row, "jackdaw", "rate"] / value[row, peer, "rate"])
    }
    END { for (i = 1; i <= rows; i++) { row = order[i]; load = row; sub(/-c[0-9]+$/, "", load); clients = row; sub(/.*-c/, "", clients)
      printf "| %s | %s | %s | %s / %s | %s | %s | %s | %s | %s | %s |\n", load, clients, number(row, "jackdaw"),
        metric(row, "jackdaw", "p50"), metric(row, "jackdaw", "p99"),
        number(row, "kestrel"), number(row, "postgres"), number(row, "redis"), ratio(row, "kestrel"), ratio(row, "postgres"), ratio(row, "redis") } }'
  echo
  echo '## Raw: median, smallest and largest of the repetitions'
  echo
  echo '```'
  summary "$raw"
  echo '```'
} >"$report"
sed -n '1,/^## Raw/p' "$report"
if grep -q ' errors ' "$raw"; then echo "some requests failed: see \"errors\" in $report" >&2; exit 1; fi
