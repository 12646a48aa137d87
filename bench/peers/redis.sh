# Sourced: a private Redis on 127.0.0.1 that syncs its log before each answer (appendfsync always).
need redis-server redis-tools
REDIS_PORT=16379
REDIS_DIR=$WORK/redis

# redis_up DOCUMENTS: starts it with about so many values of 1,024 bytes, loaded without syncs. Sets REDIS_PID.
redis_up() {
  local _
  rm -rf "$REDIS_DIR"
  mkdir -p "$REDIS_DIR"
  redis-server --port $REDIS_PORT --bind 127.0.0.1 --dir "$REDIS_DIR" --save '' --appendonly no --auto-aof-rewrite-percentage 0 \
    --loglevel warning >"$WORK/redis.log" 2>&1 &
  REDIS_PID=$!
  for _ in $(seq 100); do redis-cli -p $REDIS_PORT ping >/dev/null 2>&1 && break; sleep 0.1; done
  redis-benchmark -p $REDIS_PORT -c 32 -P 64 -n $(($1 * 3)) -r "$1" -d 1024 -t set -q >/dev/null
  redis-cli -p $REDIS_PORT config set appendfsync always >/dev/null
  redis-cli -p $REDIS_PORT config set appendonly yes >/dev/null
  while redis-cli -p $REDIS_PORT info persistence | grep -q 'aof_rewrite_in_progress:1\|aof_rewrite_scheduled:1'; do sleep 0.2; done
}

# redis_bench CLIENTS SECS: SETs of 1,024 bytes under random keys; a plain value, not JSON, which Redis does not look into.
redis_bench() {
  local rate
  rate=$(redis-benchmark -p $REDIS_PORT -c "$1" -n $((1000 * $1 + 4000)) -r 1000000000 -d 1024 -t set --csv | redis_rate)
  redis-benchmark -p $REDIS_PORT -c "$1" -n "$(awk -v r="$rate" -v s="$2" 'BEGIN { printf "%d", r * s }')" -r 1000000000 -d 1024 -t set --csv |
    tail -n 1 | tr -d '"' | awk -F, -v cell="put-c$1-redis" '{
      print cell, "rate", $2, "docs/s"; print cell, "p50", $5 * 1000, "us"; print cell, "p99", $7 * 1000, "us" }'
}

redis_rate() { tail -n 1 | tr -d '"' | cut -d, -f2; }
