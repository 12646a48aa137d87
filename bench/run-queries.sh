#!/usr/bin/env bash
# Queries over HTTP beside their ceiling and a peer: Jackdaw, bare Kestrel answering the same bytes, PostgreSQL with an index
# for each condition, cell by cell in one run. Then: until a write is seen by a waiting query; maps beside reduces; PUTs beside busy indexes; the
# managed heap after a restart. Writes medians, ratios and raw figures to bench/results/.
# usage: [REPS=3] [SECS=4] [DOCS=1000000] [CLIENTS=32] [INDEXES=20] [PARTS="queries visible reduces busy heap"] bench/run-queries.sh
#   ENGINE          the search engine of all indexes, such as Lucene (default: the server's own choice)
#   JACKDAW_SERVER  the server's executable (default: the Release build of src/Server, built when missing)
set -u
cd "$(dirname "$0")/.."
. bench/peers/common.sh
SECS=${SECS:-4} DOCS=${DOCS:-1000000} CLIENTS=${CLIENTS:-32} INDEXES=${INDEXES:-20} PARTS=${PARTS:-queries visible reduces busy heap}
BUSY_CLIENTS=128
IDLE_SECONDS=20
ENGINE=${ENGINE:-}
engines=()
[ -z "$ENGINE" ] || engines=("--Indexing.Static.SearchEngineType=$ENGINE" "--Indexing.Auto.SearchEngineType=$ENGINE")
JACKDAW_PORT=18090 KESTREL_PORT=18091
URL=http://127.0.0.1:$JACKDAW_PORT
MODES="term city and or text text-and range-sorted all-sorted"
raw=$WORK/out/queries.raw
: >"$raw"
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; done; wait 2>/dev/null; [ -z "${PG_RUNNING:-}" ] || pg_down' EXIT
has() { [[ " $PARTS " == *" $1 "* ]]; }

need wrk gcc libc6-dev curl nodejs
cc -O2 -o "$WORK/bulk-send" bench/Load/bulk-send.c || exit 1
export SAMPLE=$WORK/sample.ndjson CITIES=$WORK/cities.txt WORDS=$WORK/words-$DOCS.txt
bulk=$WORK/orders-plain-$DOCS.bulk
orders "$SAMPLE" 2000 --size 1024
orders "$bulk" "$DOCS" --format bulk
node bench/Load/values.js "$bulk" "$CITIES" "$WORDS" || exit 1

start_jackdaw() {
  local server=${JACKDAW_SERVER:-src/Server/bin/Release/net10.0/jackdaw}
  [ -x "$server" ] || dotnet build src/Server -c Release -v q --nologo || exit 1
  "$server" --ServerUrl="$URL" --DataDir="$WORK/query-data" "${engines[@]}" >"$WORK/jackdaw.log" 2>&1 &
  JACKDAW_PID=$!
  pids+=("$JACKDAW_PID")
  wait_for "$URL/health/ready"
}

stop_jackdaw() { kill "$JACKDAW_PID"; wait "$JACKDAW_PID" 2>/dev/null; }

# create_database NAME: with all documents.
create_database() {
  curl -sf -o /dev/null -X PUT -H 'Content-Type: application/json' -d "{\"DatabaseName\":\"$1\"}" \
    "$URL/admin/databases?name=$1&replicationFactor=1" || { echo "could not create database $1" >&2; exit 1; }
  "$WORK/bulk-send" "$JACKDAW_PORT" "/databases/$1/bulk_insert?id=1" "$bulk" | grep -q ' 20[01]$' || { echo "bulk insert failed" >&2; exit 1; }
}

# ask QUERY: one query that waits for its index, at most half an hour.
ask() {
  curl -sf -X POST -H 'Content-Type: application/json' "$URL/databases/bench/queries" \
    -d "{\"Query\":\"$1\",\"WaitForNonStaleResults\":true,\"WaitForNonStaleResultsTimeout\":\"00:30:00\"}"
}

# load NAME SCRIPT CLIENTS URL PID: one cell of wrk; rate, latencies, errors, and the server's processor time per request.
load() {
  local before after result
  before=$(cpu_ticks "$5")
  result=$(wrk -t2 -c"$3" -d"${SECS}s" --timeout 60s -s "bench/Load/$2" "$4" | grep '^RESULT')
  after=$(cpu_ticks "$5")
  [ -n "$result" ] || { echo "$1: wrk printed no result" >&2; return; }
  echo "$result" | awk -v cell="$1" -v ticks="$((after - before))" -v secs="$SECS" '{
    print cell, "rate", $2, "/s"; print cell, "p50", $3, "us"; print cell, "p99", $4, "us"; print cell, "cpu", ticks * 10000 / ($2 * secs), "us"
    if ($6 > 0) print cell, "errors", $6, "requests" }' >>"$raw"
}

start_kestrel() {
  local answer=$WORK/kestrel-answer.json
  curl -sf -X POST -H 'Content-Type: application/json' "$URL/databases/bench/queries" -o "$answer" \
    -d '{"Query":"from Orders where Company = $a limit 25","QueryParameters":{"a":"companies/17"}}' || exit 1
  dotnet build bench/peers/kestrel -c Release -v q --nologo >"$WORK/kestrel.log" || { tail -n 5 "$WORK/kestrel.log"; exit 1; }
  bench/peers/kestrel/bin/Release/net10.0/Jackdaw.BareKestrel "$KESTREL_PORT" "$answer" >>"$WORK/kestrel.log" 2>&1 &
  KESTREL_PID=$!
  pids+=("$KESTREL_PID")
  wait_for "http://127.0.0.1:$KESTREL_PORT/"
}

# The same ids for the same question: the order of ids within equal keys is not defined, so totals and, where fewer than 25
# documents match, the sets of ids are compared.
compare_answers() {
  local n ours theirs
  for n in 7 17 77 177; do
    ours=$(ask "from Orders where Company = 'companies/$n' and Employee = 'employees/3' select id() as Id limit 1000" |
      node -e 'const a=JSON.parse(require("fs").readFileSync(0));console.log(a.TotalResults,a.Results.map(r=>r.Id).sort().join(" "))')
    theirs=$(sql "SELECT count(*) || ' ' || coalesce(string_agg(id, ' ' ORDER BY id COLLATE \"C\"), '') FROM o
      WHERE doc->>'Company' = 'companies/$n' AND doc->>'Employee' = 'employees/3'")
    [ "$ours" = "$theirs" ] || { echo "answers differ: '$ours' and '$theirs'" >&2; exit 1; }
  done
}

query_cells() {
  local mode repetition
  . bench/peers/postgres-queries.sh
  pg_up $'max_parallel_workers_per_gather=0\nrandom_page_cost=1.1'
  PG_RUNNING=1
  pg_orders "$DOCS"
  ask "from Orders where Company = 'a' and Employee = 'a' and ShipTo.City = 'a' and Freight > 0 and search(Note, 'a') limit 1" >/dev/null
  start_kestrel
  compare_answers
  export DATABASE=bench
  for repetition in 0 $(seq "$REPS"); do
    for mode in $MODES; do
      MODE=$mode SELECT=ids load "$mode-jackdaw" queries.lua "$CLIENTS" "$URL" "$JACKDAW_PID"
      pg_query "$mode" "$CLIENTS" "$SECS" >>"$raw"
    done
    MODE=term SELECT=documents load documents-jackdaw queries.lua "$CLIENTS" "$URL" "$JACKDAW_PID"
    MODE=term SELECT=documents load documents-kestrel queries.lua "$CLIENTS" "http://127.0.0.1:$KESTREL_PORT" "$KESTREL_PID"
    # The first round warms up.
    [ "$repetition" = 0 ] && : >"$raw"
  done
  pg_down
  PG_RUNNING=
}

visible_cells() {
  local _
  for _ in $(seq "$REPS"); do node bench/Load/visible.js "$JACKDAW_PORT" bench 200 >>"$raw" || exit 1; done
}

reduces_cells() { node bench/Load/reduces.js "$JACKDAW_PORT" bench "$REPS" >>"$raw" || exit 1; }

# index NUMBER: a definition with three fields; the number makes each a different one.
put_index() {
  curl -sf -o /dev/null -X PUT -H 'Content-Type: application/json' "$URL/databases/busy/admin/indexes" -d "{\"Indexes\":[{\"Name\":\"Busy$1\",
    \"Maps\":[\"from o in docs.Orders select new { o.Company, City = o.ShipTo.City, Total = o.Lines.Sum(l => l.Price * l.Quantity) + $1 }\"]}]}" || exit 1
}

mapped() {
  curl -sf "$URL/databases/busy/indexes/stats" |
    node -e 'console.log(JSON.parse(require("fs").readFileSync(0)).Results.reduce((sum, index) => sum + index.MapAttempts, 0))'
}

# indexing NAME COMMAND...: documents that all indexes together map in a second while the command runs.
indexing() {
  local name=$1 before begin end
  shift
  before=$(mapped) begin=$(date +%s.%N)
  "$@"
  end=$(date +%s.%N)
  awk -v n="$(($(mapped) - before))" -v a="$begin" -v b="$end" -v cell="$name" 'BEGIN { print cell, "mapped", n / (b - a), "/s" }' >>"$raw"
}

busy_cells() {
  local repetition i
  create_database busy
  for repetition in $(seq "$REPS"); do
    DATABASE=bench MODE=put load put-without-indexes requests.lua "$BUSY_CLIENTS" "$URL" "$JACKDAW_PID"
    for i in $(seq "$INDEXES"); do put_index "$((repetition * INDEXES + i))"; done
    indexing indexes-alone sleep "$SECS"
    DATABASE=busy MODE=put indexing indexes-beside-puts load put-beside-indexes requests.lua "$BUSY_CLIENTS" "$URL" "$JACKDAW_PID"
    for i in $(seq "$INDEXES"); do
      curl -sf -o /dev/null -X DELETE "$URL/databases/busy/indexes?name=Busy$((repetition * INDEXES + i))"
    done
  done
}

# Live and dead objects after the last collection; an idle server collects everything within IDLE_SECONDS.
heap() { curl -sf "$URL/metrics" | awk '/^dotnet_gc_last_collection_heap_size_bytes\{/ { n += $2 } END { printf "%.0f", n }'; }

heap_cells() {
  local repetition
  for repetition in $(seq "$REPS"); do
    stop_jackdaw
    start_jackdaw
    curl -sf -o /dev/null "$URL/databases/bench/stats"
    sleep "$IDLE_SECONDS"
    echo "heap-started bytes $(heap) B" >>"$raw"
    DATABASE=bench MODE=and SELECT=ids load heap-queries queries.lua "$CLIENTS" "$URL" "$JACKDAW_PID"
    sleep "$IDLE_SECONDS"
    echo "heap-after-queries bytes $(heap) B" >>"$raw"
  done
}

rm -rf "$WORK/query-data"
start_jackdaw
create_database bench
has queries && query_cells
has visible && visible_cells
has reduces && reduces_cells
has busy && busy_cells
has heap && heap_cells

mkdir -p bench/results
report=bench/results/$(date -u +%Y-%m-%d)-queries${ENGINE:+-${ENGINE,,}}.md
{
  echo "# Queries and indexes over HTTP"
  echo
  echo "- Commit $(git describe --always --dirty), $(date -u +%Y-%m-%d), \`bench/run-queries.sh\` with" \
    "REPS=$REPS SECS=$SECS DOCS=$DOCS CLIENTS=$CLIENTS INDEXES=$INDEXES PARTS=\"$PARTS\" ENGINE=${ENGINE:-default}"
  echo "- $(nproc) cores, $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs), $(free -g | awk '/^Mem/ { print $2 }') GiB," \
    "kernel $(uname -r), $(stat -f -c %T "$WORK"), load average before the report $(cut -d' ' -f1 /proc/loadavg)"
  echo "- Load generators share the cores with the servers. postgres: pgbench, one index for each condition, an exact count and 25 ids in two statements." \
    "kestrel: bare middleware that answers the same bytes as the query beside it."
  echo
  echo "| query | jackdaw /s | p50 / p99 us | CPU us | peer | peer /s | jackdaw : peer |"
  echo "|---|---|---|---|---|---|---|"
  summary "$raw" | awk '
    { at = match($1, /-(jackdaw|postgres|kestrel)$/); if (!at) next
      row = substr($1, 1, at - 1); peer = substr($1, at + 1)
      if (!(row in seen)) { seen[row] = 1; order[++rows] = row }
      if (peer != "jackdaw") other[row] = peer
      value[row, peer, $2] = $3 }
    END { for (i = 1; i <= rows; i++) { r = order[i]; o = other[r]
      printf "| %s | %.0f | %.0f / %.0f | %.0f | %s | %.0f | %.2f |\n", r, value[r, "jackdaw", "rate"], value[r, "jackdaw", "p50"], value[r, "jackdaw", "p99"],
        value[r, "jackdaw", "cpu"], o, value[r, o, "rate"], value[r, o, "rate"] ? value[r, "jackdaw", "rate"] / value[r, o, "rate"] : 0 } }'
  echo
  echo '## Raw: median, smallest and largest of the repetitions'
  echo
  echo '```'
  summary "$raw"
  echo '```'
} >"$report"
cat "$report"
if grep -q ' errors ' "$raw"; then echo "some requests failed: see \"errors\" in $report" >&2; exit 1; fi
