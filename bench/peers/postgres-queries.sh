# Sourced: orders in PostgreSQL with one index for each condition of queries.lua, and pgbench scripts that ask the same:
# an exact count and the first 25 ids.
. bench/peers/postgres.sh

# pg_orders COUNT: table o with the orders that Jackdaw holds; tables of the values that scripts choose from.
pg_orders() {
  local file=$WORK/orders-plain-$1.copy
  orders "$file" "$1" --format copy
  sql 'SET client_min_messages=error; DROP TABLE IF EXISTS o, city, word; CREATE TABLE o(id text PRIMARY KEY, doc jsonb NOT NULL); CHECKPOINT'
  "$PGBIN/psql" -qX -c '\copy o from '"'$file'" || exit 1
  sql "CREATE INDEX ON o((doc->>'Company'))"
  sql "CREATE INDEX ON o((doc->>'Employee'))"
  sql "CREATE INDEX ON o((doc->'ShipTo'->>'City'))"
  sql "CREATE INDEX ON o(((doc->>'Freight')::float8))"
  sql "CREATE INDEX ON o USING gin(to_tsvector('simple', doc->>'Note'))"
  sql 'CREATE TABLE city(n serial primary key, v text); CREATE TABLE word(n serial primary key, v text)'
  "$PGBIN/psql" -qX -c '\copy city(v) from '"'$CITIES'" -c '\copy word(v) from '"'$WORDS'" || exit 1
  sql 'VACUUM ANALYZE'
  pg_query_scripts
}

# pg_query_scripts: one file for each mode of queries.lua.
pg_query_scripts() {
  PGSCRIPTS=$WORK/pgqueries
  mkdir -p "$PGSCRIPTS"
  local sets="\\set a random(1, 1000)
\\set b random(1, 50)
\\set c1 random(1, $(sql 'select count(*) from city'))
\\set c2 random(1, $(sql 'select count(*) from city'))
\\set w1 random(1, $(sql 'select count(*) from word'))
\\set w2 random(1, $(sql 'select count(*) from word'))
\\set f random(0, 989)"
  local company="doc->>'Company' = 'companies/' || :a::text" employee="doc->>'Employee' = 'employees/' || :b::text"
  local freight="(doc->>'Freight')::float8" order="ORDER BY doc->>'Company'"
  city() { echo "doc->'ShipTo'->>'City' = (SELECT v FROM city WHERE n = :$1)"; }
  word() { echo "to_tsvector('simple', doc->>'Note') @@ to_tsquery('simple', (SELECT v FROM word WHERE n = :$1))"; }
  script() { printf '%s\nSELECT count(*) FROM o WHERE %s;\nSELECT id FROM o WHERE %s %s LIMIT 25;\n' "$sets" "$2" "$2" "${3:-}" >"$PGSCRIPTS/$1.sql"; }
  script term "$company"
  script city "$(city c1)"
  script and "$company AND $employee"
  script or "($(city c1) OR $(city c2) OR $company)"
  script text "$(word w1)"
  script text-and "$(word w1) AND $(word w2)"
  script range-sorted "$freight BETWEEN :f AND :f + 10" "$order"
  script all-sorted "$freight > 0" "$order"
}

# pg_query MODE CLIENTS SECONDS
pg_query() {
  "$PGBIN/pgbench" -n -M simple -f "$PGSCRIPTS/$1.sql" -c "$2" -j 2 -T "$3" 2>&1 |
    awk -v name="$1-postgres" '/^latency average/ { l = $4 } /^tps/ { print name, "rate", $3, "/s"; print name, "mean", l * 1000, "us" }'
}
