# Sourced: a private PostgreSQL cluster on 127.0.0.1 as the postgres user, tuned for this kind of load and durable
# (synchronous_commit=on).
need postgresql postgresql-client postgresql-contrib procps nodejs
PGBIN=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
PGDATA=$WORK/pgdata
export PGHOST=127.0.0.1 PGPORT=54329 PGUSER=postgres PGDATABASE=postgres

as_postgres() { runuser -u postgres -- "$@"; }
sql() { "$PGBIN/psql" -qAtX -c "$1"; }

# pg_up [CONFIGURATION LINE]: starts the cluster, creating it if need be. shared_buffers holds the data set; WAL never
# forces a checkpoint in a cell.
pg_up() {
  chmod 755 "$WORK"
  if [ ! -d "$PGDATA" ]; then
    mkdir -p "$PGDATA"
    chown postgres "$PGDATA"
    as_postgres "$PGBIN/initdb" -D "$PGDATA" -A trust --no-locale -E UTF8 >/dev/null || exit 1
  fi
  cat >"$PGDATA/postgresql.auto.conf" <<C
listen_addresses='127.0.0.1'
port=$PGPORT
unix_socket_directories=''
shared_buffers=4GB
effective_cache_size=14GB
work_mem=64MB
maintenance_work_mem=1GB
max_connections=200
max_wal_size=16GB
checkpoint_timeout=30min
synchronous_commit=on
wal_sync_method=open_datasync
jit=off
${1:-}
C
  chown postgres "$PGDATA/postgresql.auto.conf"
  as_postgres "$PGBIN/pg_ctl" -D "$PGDATA" -l "$PGDATA/server.log" -w start >/dev/null || { tail "$PGDATA/server.log"; exit 1; }
}

pg_down() { as_postgres "$PGBIN/pg_ctl" -D "$PGDATA" -m fast -w stop >/dev/null; }

# pg_load COUNT: table w with that many 1,024-byte documents under scattered ids (see gen-orders.js). Sets LOAD_SECONDS.
pg_load() {
  local file=$WORK/orders-$1.copy begin end
  orders "$file" "$1" --size 1024 --ids scattered --format copy
  sql 'SET client_min_messages=error; DROP TABLE IF EXISTS w; CREATE TABLE w(id text PRIMARY KEY, doc jsonb NOT NULL); CHECKPOINT'
  begin=$(date +%s.%N)
  "$PGBIN/psql" -qX -c '\copy w from '"'$file'" || exit 1
  end=$(date +%s.%N)
  LOAD_SECONDS=$(awk -v a="$begin" -v b="$end" 'BEGIN { print b - a }')
  sql 'VACUUM ANALYZE w'
  sql 'CHECKPOINT'
}

# pg_scripts COUNT: what pgbench runs: one insert, a hundred in one transaction, a read of one of COUNT loaded
# documents.
pg_scripts() {
  PGSCRIPTS=$WORK/pgscripts
  mkdir -p "$PGSCRIPTS"
  local insert="\\set id random(1000000000000, 9000000000000000)
INSERT INTO w VALUES ('orders/' || :id::text, :doc::jsonb) ON CONFLICT DO NOTHING;" i
  echo "$insert" >"$PGSCRIPTS/one.sql"
  { echo '\startpipeline'; echo 'BEGIN;'; for i in $(seq 100); do echo "$insert"; done; echo 'COMMIT;'; echo '\endpipeline'; } >"$PGSCRIPTS/hundred.sql"
  echo "\\set id (random(1, $1) * 4294967291) % 999999999989
SELECT doc FROM w WHERE id = 'orders/' || :id::text;" >"$PGSCRIPTS/get.sql"
  PGDOC=$(node "$PEERS/gen-orders.js" 1 --size 1024)
}

# pg_bench NAME SCRIPT CLIENTS DOCUMENTS_PER_TRANSACTION SECONDS: prints "NAME-cCLIENTS rate N docs/s" and the mean
# latency.
pg_bench() {
  local threads=1
  [ "$3" -ge 8 ] && threads=2
  "$PGBIN/pgbench" -n -M prepared -f "$PGSCRIPTS/$2" -c "$3" -j "$threads" -T "$5" -D doc="$PGDOC" 2>&1 |
    awk -v name="$1-c$3" -v per="$4" '/^latency average/ { l = $4 } /^tps/ { print name, "rate", $3 * per, "docs/s"; print name, "mean", l * 1000, "us" }'
}
