#!/usr/bin/env bash
# What https costs: kept connections of 32 clients that show a certificate, beside bare Kestrel with the same certificate; durable PUTs over https and
# http; and requests of others beside strangers that send damaged handshakes. All cells alternate in one run. Writes bench/results/DATE-https.md.
# usage: [REPS=5] [SECS=5] [DOCS=20000] bench/run-https.sh
set -u
cd "$(dirname "$0")/.."
. bench/peers/common.sh
SECS=${SECS:-5} DOCS=${DOCS:-20000}
JACKDAW=src/Server/bin/Release/net10.0/jackdaw
KESTREL=bench/peers/kestrel/bin/Release/net10.0/Jackdaw.BareKestrel
declare -A PORT=([jackdaw-http]=18090 [jackdaw-https]=18190 [kestrel-http]=18091 [kestrel-https]=18191) PID
raw=$WORK/out/https.raw
: >"$raw"
trap 'kill "${PID[@]}" 2>/dev/null; wait 2>/dev/null' EXIT

need wrk gcc libc6-dev curl nodejs
cc -O2 -o "$WORK/bulk-send" bench/Load/bulk-send.c || exit 1
cc -O2 -shared -fPIC -o "$WORK/client-certificate.so" bench/Load/client-certificate.c -ldl || exit 1
[ -x $JACKDAW ] || dotnet build src/Server -c Release -v q --nologo || exit 1
dotnet build bench/peers/kestrel -c Release -v q --nologo >"$WORK/kestrel.log" || exit 1
sample=$WORK/sample.ndjson
bulk=$WORK/orders-$DOCS.bulk
orders "$sample" 2000 --size 1024
orders "$bulk" "$DOCS" --size 1024 --ids scattered --format bulk

start_jackdaw() { # SCHEME
  "$JACKDAW" --ServerUrl="$1://127.0.0.1:${PORT[jackdaw-$1]}" --DataDir="$WORK/$1-data" >"$WORK/$1.log" 2>&1 &
  PID[jackdaw-$1]=$!
}

# The same documents for both: loaded by the open server, whose folder the secured one takes over.
rm -rf "$WORK"/http-data "$WORK"/https-data
start_jackdaw http
wait_for "http://127.0.0.1:${PORT[jackdaw-http]}/health/ready"
curl -sf -o /dev/null -X PUT -d '{"DatabaseName":"bench"}' "http://127.0.0.1:${PORT[jackdaw-http]}/admin/databases?name=bench" || exit 1
"$WORK/bulk-send" "${PORT[jackdaw-http]}" "/databases/bench/bulk_insert?id=1" "$bulk" >/dev/null || exit 1
kill "${PID[jackdaw-http]}" && wait "${PID[jackdaw-http]}"
cp -r "$WORK/http-data" "$WORK/https-data"
start_jackdaw http
start_jackdaw https
for _ in $(seq 600); do curl -skf -o /dev/null "https://127.0.0.1:${PORT[jackdaw-https]}/health/ready" && break; sleep 0.1; done
export CLIENT_CERTIFICATE=$WORK/https-data/Security/admin.client.pem
"$KESTREL" "${PORT[kestrel-http]}" >>"$WORK/kestrel.log" 2>&1 &
PID[kestrel-http]=$!
KESTREL_PFX=$WORK/https-data/Security/server.pfx "$KESTREL" "${PORT[kestrel-https]}" >>"$WORK/kestrel.log" 2>&1 &
PID[kestrel-https]=$!
wait_for "http://127.0.0.1:${PORT[kestrel-http]}/"

# load SERVER MODE CELL: requests of 32 clients; rate, latencies, errors and the server's processor time for each.
load() {
  local server=$1 mode=$2 cell=$3 before after result
  before=$(cpu_ticks "${PID[$server]}")
  result=$(MODE=$mode DOCS=$DOCS SAMPLE=$sample DATABASE=bench LD_PRELOAD=$WORK/client-certificate.so \
    wrk -t2 -c32 -d"${SECS}s" --timeout 30s -s bench/Load/requests.lua "${server##*-}://127.0.0.1:${PORT[$server]}" | grep '^RESULT')
  after=$(cpu_ticks "${PID[$server]}")
  echo "$result" | awk -v cell="$cell-$server" -v cpu="$((after - before))" -v secs="$SECS" '{
    print cell, "rate", $2, "requests/s"; print cell, "p50", $3, "us"; print cell, "p99", $4, "us"
    print cell, "cpu", cpu * 1e4 / ($2 * secs), "us_per_request"; if ($6 > 0) print cell, "errors", $6, "requests" }' >>"$raw"
}

beside_fuzz() { # SERVER
  node bench/Load/handshake-fuzz.js "${PORT[$1]}" 16 "$((SECS + 1))" 127.0.0.9 |
    awk -v cell="fuzz-$1" '{ print cell, "handshakes", $1, "handshakes" }' >>"$raw" &
  local fuzz=$!
  load "$1" get get-beside-fuzz
  wait $fuzz
}

REAL_SECS=$SECS SECS=3
for server in jackdaw-http jackdaw-https kestrel-http kestrel-https; do load "$server" get warm; done
for server in jackdaw-http jackdaw-https; do load "$server" put warm; done
SECS=$REAL_SECS
for _ in $(seq "$REPS"); do
  for server in jackdaw-http jackdaw-https kestrel-http kestrel-https; do load "$server" get get; done
  for server in jackdaw-http jackdaw-https; do load "$server" put put; done
  for server in jackdaw-https kestrel-https; do beside_fuzz "$server"; done
done

report=bench/results/$(date -u +%Y-%m-%d)-https.md
value() { summary "$raw" | awk -v cell="$1" -v metric="$2" '$1 == cell && $2 == metric { print $3 }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
worse() { ratio "$(value "get-beside-fuzz-$1-https" p99)" "$(value "get-$1-https" p99)"; }
jackdaw=$(ratio "$(value get-jackdaw-https rate)" "$(value get-jackdaw-http rate)")
kestrel=$(ratio "$(value get-kestrel-https rate)" "$(value get-kestrel-http rate)")
{
  echo "# What https costs"
  echo
  echo "- Commit $(git describe --always --dirty), $(date -u +%Y-%m-%d), \`bench/run-https.sh\` with REPS=$REPS SECS=$SECS DOCS=$DOCS;" \
    "medians of cells that alternate"
  echo "- $(nproc) cores, $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | xargs), load average before the report $(cut -d' ' -f1 /proc/loadavg)"
  echo "- 32 kept connections, each with a client certificate; load generators share the cores with the servers. kestrel: one bare" \
    "middleware, same certificate."
  echo "- fuzz: 16 connections of another address at once, each a damaged handshake."
  echo
  echo "| figure | value |"
  echo "|---|---|"
  echo "| GET: https keeps of the rate of http, jackdaw / kestrel | $jackdaw / $kestrel = $(ratio "$jackdaw" "$kestrel") |"
  echo "| durable PUT: https keeps of the rate of http | $(ratio "$(value put-jackdaw-https rate)" "$(value put-jackdaw-http rate)") |"
  echo "| p99 of GETs beside the fuzz: jackdaw, kestrel | $(worse jackdaw), $(worse kestrel) |"
  echo
  echo '```'
  summary "$raw" | grep -v '^warm'
  echo '```'
} >"$report"
cat "$report"
if grep -q ' errors ' "$raw"; then echo "some requests failed: see \"errors\" in $report" >&2; exit 1; fi
