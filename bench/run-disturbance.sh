#!/usr/bin/env bash
# What few durable writes cost a busy machine: bare Kestrel answering GETs while another process wakes, or writes 4 KB
# durably, at steady rates; then Jackdaw's GETs and its mix with 5 % PUTs, on the disk and in memory. By turns, the order rotated.
# usage: [REPS=8] [SECS=3] [DOCS=1000000] [RATES="100 400 1700"] bench/run-disturbance.sh
#   JACKDAW_SERVER  the server's executable (default: the Release build of src/Server, built when missing)
set -u
cd "$(dirname "$0")/.."
REPS=${REPS:-8}
. bench/peers/common.sh
SECS=${SECS:-3} DOCS=${DOCS:-1000000} RATES=${RATES:-100 400 1700}
KESTREL_PORT=18090 DISK_PORT=18091 MEMORY_PORT=18092
raw=$WORK/out/disturbance.raw
: >"$raw"
: >"$WORK/out/disturbance.writer"
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; done; wait 2>/dev/null' EXIT

need wrk gcc libc6-dev curl nodejs
for tool in bulk-send durable-writer; do cc -O2 -o "$WORK/$tool" "bench/Load/$tool.c" || exit 1; done
sample=$WORK/sample.ndjson
bulk=$WORK/orders-$DOCS.bulk
orders "$sample" 2000 --size 1024
orders "$bulk" "$DOCS" --size 1024 --ids scattered --format bulk

# start_jackdaw PORT SETTING: a server with one loaded database.
start_jackdaw() {
  local server=${JACKDAW_SERVER:-src/Server/bin/Release/net10.0/jackdaw} url=http://127.0.0.1:$1
  [ -x "$server" ] || dotnet build src/Server -c Release -v q --nologo || exit 1
  "$server" --ServerUrl="$url" "$2" >"$WORK/jackdaw-$1.log" 2>&1 &
  pids+=($!)
  wait_for "$url/health/ready"
  curl -sf -o /dev/null -X PUT -H 'Content-Type: application/json' -d '{"DatabaseName":"bench"}' "$url/admin/databases?name=bench&replicationFactor=1" || exit 1
  "$WORK/bulk-send" "$1" "/databases/bench/bulk_insert?id=1" "$bulk" | grep -q ' 20[01]$' || { echo "bulk insert failed" >&2; exit 1; }
}

# load MODE PORT: requests per second of one cell.
load() {
  MODE=$1 DOCS=$DOCS SAMPLE=$sample DATABASE=bench wrk -t2 -c128 -d"${SECS}s" -s bench/Load/requests.lua "http://127.0.0.1:$2" |
    awk '/^RESULT/ { print $2 }'
}

# beside NAME COMMAND...: bare Kestrel's GETs while the command runs.
beside() {
  local name=$1 neighbour
  shift
  "$@" >>"$WORK/out/disturbance.writer" &
  neighbour=$!
  sleep 0.3
  echo "kestrel-get-$name rate $(load get $KESTREL_PORT) /s" >>"$raw"
  wait "$neighbour"
}

cell() {
  local seconds
  seconds=$(awk -v s="$SECS" 'BEGIN { print s + 1 }')
  case $1 in
    alone) beside alone sleep "$seconds" ;;
    wake*) beside "$1" "$WORK/durable-writer" "$WORK/durable.bin" "${1#wake}" "$seconds" idle ;;
    write*) beside "$1" "$WORK/durable-writer" "$WORK/durable.bin" "${1#write}" "$seconds" ;;
    disk-*) echo "jackdaw-$1 rate $(load "${1#*-}" $DISK_PORT) /s" >>"$raw" ;;
    memory-*) echo "jackdaw-$1 rate $(load "${1#*-}" $MEMORY_PORT) /s" >>"$raw" ;;
  esac
}

# turns CELL...: all cells REPS times, each repetition begins with another one. A round before them warms the code up.
turns() {
  local cells=("$@") figures=$raw repetition i
  raw=/dev/null
  for ((repetition = 0; repetition <= REPS; repetition++)); do
    for ((i = 0; i < $#; i++)); do cell "${cells[$(((i + repetition) % $#))]}"; done
    raw=$figures
  done
}

dotnet build bench/peers/kestrel -c Release -v q --nologo >"$WORK/kestrel.log" || { tail -n 5 "$WORK/kestrel.log"; exit 1; }
bench/peers/kestrel/bin/Release/net10.0/Jackdaw.BareKestrel "$KESTREL_PORT" >>"$WORK/kestrel.log" 2>&1 &
pids+=($!)
wait_for "http://127.0.0.1:$KESTREL_PORT/"
"$WORK/durable-writer" "$WORK/durable.bin" 100 1 >/dev/null || exit 1
rates=(alone)
for rate in $RATES; do rates+=("wake$rate" "write$rate"); done
turns "${rates[@]}"

rm -rf "$WORK/jackdaw-data"
start_jackdaw "$DISK_PORT" --DataDir="$WORK/jackdaw-data"
start_jackdaw "$MEMORY_PORT" --RunInMemory=true
turns disk-get disk-mix memory-get memory-mix

mkdir -p bench/results
report=bench/results/$(date -u +%Y-%m-%d)-disturbance.md
{
  echo "# What few durable writes cost a busy machine"
  echo
  echo "- Commit $(git describe --always --dirty), $(date -u +%Y-%m-%d), \`bench/run-disturbance.sh\` with REPS=$REPS SECS=$SECS DOCS=$DOCS" \
    "RATES=\"$RATES\""
  echo "- $(nproc) cores, $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs), $(free -g | awk '/^Mem/ { print $2 }') GiB," \
    "kernel $(uname -r), $(stat -f -c %T "$WORK"); 128 connections"
  echo "- kestrel-get-wakeN: beside a process that wakes N times a second; -writeN: and writes 4 KB durably each time (O_DIRECT | O_DSYNC," \
    "a file written before)."
  echo "- jackdaw: get, and mix with 5 % PUTs; disk: its files on the disk; memory: \`RunInMemory\`, no disk at all."
  echo
  echo "| cell | requests/s: median | smallest, largest | to the same without |"
  echo "|---|---|---|---|"
  summary "$raw" | sort -V | awk '
    { order[NR] = $1; rate[$1] = $3; range[$1] = substr($5, 5) ", " substr($6, 5) }
    END { for (i = 1; i <= NR; i++) { cell = base = order[i]
      sub(/get-(wake|write).*/, "get-alone", base); sub(/-mix$/, "-get", base)
      printf "| %s | %.0f | %s | %.2f |\n", cell, rate[cell], range[cell], rate[cell] / rate[base] } }'
  echo
  awk '$2 == 0 { wake += $3; wakes++ } $2 > 0 { wait += $2; write += $3; writes++ }
    END { printf "Processor time of one wake: %.0f us; of a wake and a durable write: %.0f us, after %.0f us (means of all rates).\n",
      wake / wakes, write / writes, wait / writes }' "$WORK/out/disturbance.writer"
} >"$report"
cat "$report"
