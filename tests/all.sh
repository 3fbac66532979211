#!/usr/bin/env bash
# The full lane, everything that must pass: formatting, lints, licences, the oldest compiler, documentation, tests, examples.
# Installs what the tests need. On a fresh Debian machine with Rust, as root or with the packages already there:
#   bash tests/all.sh
set -euo pipefail
cd "$(dirname "$0")/.."

command -v c++ >/dev/null || { apt-get update -q && apt-get install -y -q build-essential; }
bash tests/install-solvers.sh
command -v coqc >/dev/null && command -v ocamlopt >/dev/null \
    || { apt-get update -q && apt-get install -y -q --no-install-recommends coq ocaml; }
command -v chromium >/dev/null && command -v chromedriver >/dev/null \
    || { apt-get update -q && apt-get install -y -q chromium chromium-driver; }

echo "== cargo fmt";    cargo fmt --all -- --check
echo "== cargo clippy"; cargo clippy --quiet --release --workspace --all-targets --locked -- -D warnings
if command -v cargo-deny >/dev/null; then
    # Advisories need a network: cargo deny check advisories.
    echo "== cargo deny"; cargo deny --log-level error check licenses bans sources
fi
oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if rustup toolchain list | grep -q "^$oldest" || rustup toolchain install "$oldest" --profile minimal; then
    echo "== Rust $oldest"
    CARGO_TARGET_DIR=target/oldest cargo "+$oldest" check --quiet --workspace --locked
else
    echo "== Rust $oldest: SKIPPED, it cannot be installed here"
fi
echo "== cargo doc";    RUSTDOCFLAGS="-D warnings" cargo doc --quiet --release --workspace --no-deps --locked
echo "== cargo test";   cargo test --release --workspace --locked
# Slurm waits two minutes before it starts a task again: Python's turn meanwhile.
echo "== slurm and Python"
bash tests/slurm.sh >target/slurm.log 2>&1 & slurm=$!
bash tests/python.sh
wait "$slurm" || { cat target/slurm.log; exit 1; }
tail -n 1 target/slurm.log
echo "== examples"
for example in examples/*.rs; do
    cargo run --quiet --release --locked --example "$(basename "$example" .rs)"
done
