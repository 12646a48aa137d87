#!/usr/bin/env bash
# What comes with documents, against plain PUTs of the same server: patches, counters, revisions, watchers, attachments against dd;
# and processor time per PUT, GET and batch against an earlier build. Cell by cell, by turns.
# usage: [REPS=5] [SECS=3] [DOCS=100000] [CLIENTS=32] [JACKDAW_BEFORE=executable of the earlier build] bench/run-features.sh
#   JACKDAW_SERVER  the server's executable (default: the Release build of src/Server, built when missing)
set -u
cd "$(dirname "$0")/.."
REPS=${REPS:-5}
. bench/peers/common.sh
SECS=${SECS:-3} DOCS=${DOCS:-100000} CLIENTS=${CLIENTS:-32} WATCHERS=100 FILE_MB=100
PORT=18090 BEFORE_PORT=18091
raw=$WORK/out/features.raw
: >"$raw"
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; done; wait 2>/dev/null' EXIT

need wrk gcc libc6-dev curl nodejs
cc -O2 -o "$WORK/bulk-send" bench/Load/bulk-send.c || exit 1
sample=$WORK/sample.ndjson
bulk=$WORK/orders-$DOCS.bulk
orders "$sample" 2000 --size 1024
orders "$bulk" "$DOCS" --size 1024 --ids scattered --format bulk

# start EXECUTABLE PORT: a server with one loaded database; its process is in $started.
start() {
  local url=http://127.0.0.1:$2
  rm -rf "$WORK/jackdaw-$2"
  "$1" --ServerUrl="$url" --DataDir="$WORK/jackdaw-$2" >"$WORK/jackdaw-$2.log" 2>&1 &
  started=$!
  pids+=("$started")
  wait_for "$url/health/ready"
  load_database "$2" bench
}

load_database() {
  curl -sf -o /dev/null -X PUT -H 'Content-Type: application/json' -d "{\"DatabaseName\":\"$2\"}" \
    "http://127.0.0.1:$1/admin/databases?name=$2&replicationFactor=1" || exit 1
  "$WORK/bulk-send" "$1" "/databases/$2/bulk_insert?id=1" "$bulk" | grep -q ' 20[01]$' || { echo "bulk insert failed" >&2; exit 1; }
}

# load NAME MODE DATABASE PORT PID [DOCUMENTS]: rate, p99 and processor time per request of one cell.
load() {
  local before after
  before=$(cpu_ticks "$5")
  MODE=$2 DOCS=${6:-$DOCS} SAMPLE=$sample DATABASE=$3 wrk -t2 -c"$CLIENTS" -d"${SECS}s" --timeout 30s \
    -s bench/Load/requests.lua "http://127.0.0.1:$4" >"$WORK/out/wrk"
  after=$(cpu_ticks "$5")
  awk -v cell="$1" -v ticks="$((after - before))" -v secs="$SECS" '/^RESULT/ {
    print cell, "rate", $2, "/s"; print cell, "p99", $4, "us"; print cell, "cpu", ticks * 10000 / ($2 * secs), "us"
    if ($6 > 0) print cell, "errors", $6, "requests" }' "$WORK/out/wrk" >>"$raw"
}

# seconds NAME COMMAND...: megabytes per second of a command that moves the file.
moved() {
  local name=$1 start end
  shift
  start=$(date +%s.%N)
  "$@" || { echo "$name failed" >&2; exit 1; }
  end=$(date +%s.%N)
  echo "$name rate $(awk -v a="$start" -v b="$end" -v mb="$FILE_MB" 'BEGIN { print mb / (b - a) }') MB/s" >>"$raw"
}

# Memory that is not a view of a file.
anonymous_kb() { awk '/^RssAnon/ { print $2 }' "/proc/$1/status"; }
peak_anonymous_kb() { while sleep 0.05; do anonymous_kb "$1"; done; }

# By turns within itself: PUTs beside 1,000 changes a second of one collection, with and without watchers.
watched() {
  node bench/Load/watchers.js $PORT bench "$WATCHERS" 1000 "$SECS" 2 "$PID" >"$WORK/out/watch" || { echo "the watchers failed" >&2; return; }
  sed -nE 's/^alone .*: ([0-9.]+)$/watched ratio \1 times/p' "$WORK/out/watch" >>"$raw"
}

file=$WORK/file-$FILE_MB.bin
[ -s "$file" ] || head -c "$((FILE_MB << 20))" /dev/urandom >"$file"
attachment="http://127.0.0.1:$PORT/databases/bench/attachments?id=files/1&name=file.bin"

attachments() {
  local before
  moved dd-write dd if="$file" of="$WORK/copy.bin" bs=1M conv=fsync status=none
  # Each time another content: what is stored already is not written again.
  head -c 64 /dev/urandom | dd of="$file" conv=notrunc status=none
  before=$(anonymous_kb "$PID")
  peak_anonymous_kb "$PID" >"$WORK/out/peak" &
  local sampler=$!
  moved attachment-up curl -sf -o /dev/null -X PUT -T "$file" "$attachment"
  moved attachment-down curl -sf -o /dev/null "$attachment"
  kill $sampler
  wait $sampler 2>/dev/null
  echo "attachment memory $((($(sort -n "$WORK/out/peak" | tail -1) - before) / 1024)) MB" >>"$raw"
  while :; do curl -sf -o /dev/null -X PUT -T "$file" "$attachment"; head -c 64 /dev/urandom | dd of="$file" conv=notrunc status=none; done &
  local uploads=$!
  load beside-uploads put bench $PORT "$PID"
  kill $uploads
  wait $uploads 2>/dev/null
}

server=${JACKDAW_SERVER:-src/Server/bin/Release/net10.0/jackdaw}
[ -x "$server" ] || dotnet build src/Server -c Release -v q --nologo || exit 1
start "$server" $PORT
PID=$started
load_database $PORT revised
curl -sf -o /dev/null -X POST -d '{"Default":{"MinimumRevisionsToKeep":10}}' "http://127.0.0.1:$PORT/databases/revised/admin/revisions/config" || exit 1
curl -sf -o /dev/null -X PUT -d '{"@metadata":{"@collection":"Files"}}' "http://127.0.0.1:$PORT/databases/bench/docs?id=files/1" || exit 1
if [ -n "${JACKDAW_BEFORE:-}" ]; then start "$JACKDAW_BEFORE" $BEFORE_PORT; BEFORE_PID=$started; fi

for repetition in $(seq 0 "$REPS"); do
  # A round before the others warms the code up.
  [ "$repetition" = 1 ] && : >"$raw"
  for mode in put get bulk-docs; do
    cells=(after before)
    [ $((repetition % 2)) = 1 ] && cells=(before after)
    for cell in "${cells[@]}"; do
      if [ "$cell" = after ]; then load "$mode" "$mode" bench $PORT "$PID"
      elif [ -n "${JACKDAW_BEFORE:-}" ]; then load "$mode-before" "$mode" bench $BEFORE_PORT "$BEFORE_PID"; fi
    done
  done
  load patch patch bench $PORT "$PID"
  # Of counters that are there after the first round; a document's first increment writes the document too.
  load increment increment bench $PORT "$PID" $((DOCS / 50))
  load revised put revised $PORT "$PID"
  watched
  attachments
done

mkdir -p bench/results
report=bench/results/$(date -u +%Y-%m-%d)-features.md
{
  echo "# What comes with documents, against plain PUTs"
  echo
  echo "- Commit $(git describe --always --dirty), $(date -u +%Y-%m-%d), \`bench/run-features.sh\` with REPS=$REPS SECS=$SECS DOCS=$DOCS CLIENTS=$CLIENTS" \
    "BEFORE=${BEFORE_COMMIT:-none}"
  echo "- $(nproc) cores, $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs), $(free -g | awk '/^Mem/ { print $2 }') GiB," \
    "kernel $(uname -r), $(stat -f -c %T "$WORK"); load generators and watchers share the cores with the server"
  echo
  echo '```'
  summary "$raw"
  echo '```'
  echo
  echo "| figure | value | target |"
  echo "|---|---|---|"
  summary "$raw" | awk '
    { v[$1 " " $2] = $3 }
    function row(name, value, target) { printf "| %s | %s | %s |\n", name, value, target }
    function ratio(a, b) { return v[a] > 0 && v[b] > 0 ? sprintf("%.2f", v[a] / v[b]) : "-" }
    END {
      row("processor time per PUT to before", ratio("put cpu", "put-before cpu"), "<= 1.03")
      row("processor time per GET to before", ratio("get cpu", "get-before cpu"), "<= 1.03")
      row("processor time per batch to before", ratio("bulk-docs cpu", "bulk-docs-before cpu"), "<= 1.03")
      row("patch by id to PUT", ratio("patch rate", "put rate"), ">= 0.4")
      row("counter increments to PUT", ratio("increment rate", "put rate"), ">= 0.8")
      row("PUT with revisions to PUT", ratio("revised rate", "put rate"), ">= 0.6")
      row("PUT with 100 watchers of 1,000 changes/s to PUT", v["watched ratio"], ">= 0.8")
      row("attachment of 100 MB up to dd with fsync", ratio("attachment-up rate", "dd-write rate"), ">= 0.25")
      row("attachment of 100 MB down to dd with fsync", ratio("attachment-down rate", "dd-write rate"), ">= 0.25")
      row("memory beside it", v["attachment memory"] " MB", "<= 64 MB")
      row("p99 of PUTs beside uploads to PUT", ratio("beside-uploads p99", "put p99"), "<= 3")
    }'
} >"$report"
cat "$report"
if grep -q ' errors ' "$raw"; then echo "some requests failed: see \"errors\" in $report" >&2; exit 1; fi
