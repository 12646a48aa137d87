# Sourced by every peer script. Scratch data stands below ${TMPDIR:-/tmp}/jackdaw-bench, servers listen on 127.0.0.1
# only.
PEERS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
WORK=${TMPDIR:-/tmp}/jackdaw-bench
REPS=${REPS:-3}
mkdir -p "$WORK/out"

# need PACKAGE...: installs what is missing from the distribution.
need() {
  local missing=() package
  for package in "$@"; do dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package"); done
  [ ${#missing[@]} = 0 ] && return
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$WORK/apt.log" 2>&1 ||
    { tail -n 5 "$WORK/apt.log" >&2; exit 1; }
}

# summary FILE: "name metric value unit" lines of all repetitions -> one line each with median, smallest and largest.
summary() {
  awk 'NF >= 4 { key = $1 " " $2; if (!(key in n)) order[++keys] = key; v[key, ++n[key]] = $3; unit[key] = $4 }
    END { for (i = 1; i <= keys; i++) { key = order[i]; m = n[key]; delete a
      for (j = 1; j <= m; j++) a[j] = v[key, j] + 0
      for (x = 2; x <= m; x++) { t = a[x]; for (y = x - 1; y >= 1 && a[y] > t; y--) a[y + 1] = a[y]; a[y + 1] = t }
      median = m % 2 ? a[(m + 1) / 2] : (a[m / 2] + a[m / 2 + 1]) / 2
      printf "%s %.6g %s min=%.6g max=%.6g n=%d\n", key, median, unit[key], a[1], a[m], m } }' "$1"
}

# cpu_ticks PID: user and system time of a process so far, in clock ticks (1/100 s).
cpu_ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }

# orders FILE ARGUMENTS...: generated documents, kept between runs.
orders() {
  local file=$1
  shift
  [ -s "$file" ] || { node "$PEERS/gen-orders.js" "$@" >"$file.part" && mv "$file.part" "$file"; }
}

# wait_for URL: until it answers, at most 60 s.
wait_for() {
  local _
  for _ in $(seq 600); do curl -sf -o /dev/null "$1" && return; sleep 0.1; done
  echo "no answer from $1" >&2
  exit 1
}
