#!/usr/bin/env bash
# Everything that must pass: formatting, lints, documentation, tests. Installs what the tests need.
# On a fresh Debian machine with Rust, as root or with the packages already there:  bash tests/all.sh
set -euo pipefail
cd "$(dirname "$0")/.."

command -v c++ >/dev/null || { apt-get update -q && apt-get install -y -q build-essential; }
bash tests/install-solvers.sh
command -v chromium >/dev/null && command -v chromedriver >/dev/null \
    || { apt-get update -q && apt-get install -y -q chromium chromium-driver; }

echo "== cargo fmt";    cargo fmt --all -- --check
echo "== cargo clippy"; cargo clippy --quiet --release --all-targets --locked -- -D warnings
echo "== cargo doc";    RUSTDOCFLAGS="-D warnings" cargo doc --quiet --release --no-deps --locked
echo "== cargo test";   cargo test --release --locked
