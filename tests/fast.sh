#!/usr/bin/env bash
# The fast lane, for every change: formatting, lints, unit tests, the order of the house. See CONTRIBUTING.md.
set -euo pipefail
cd "$(dirname "$0")/.."

echo "== cargo fmt";    cargo fmt --all -- --check
echo "== cargo clippy"; cargo clippy --quiet --workspace --all-targets --locked -- -D warnings
echo "== unit tests";   cargo test --quiet --workspace --lib --test architecture --locked
