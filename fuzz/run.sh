#!/usr/bin/env bash
# Runs every fuzz target for some seconds (60): bash fuzz/run.sh [SECONDS] [TARGET...]. Wants cargo-fuzz and a nightly compiler.
# What is found lies in fuzz/artifacts; a case that was mended goes to fuzz/corpus, where tests/seeds.rs keeps it.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
shift || true
targets=${*:-$(cargo +nightly fuzz list)}
for target in $targets; do
    seeds=(fuzz/corpus/"$target")
    case $target in
        certificate) seeds+=(tests/certificates) ;;
        pg) seeds+=(tests/pg) ;;
    esac
    # What is learnt on the way is not for the repository.
    learnt=$(mktemp -d)
    echo "== $target"
    # There is no unsafe code to watch here, and the address sanitizer trips over zstd's C.
    cargo +nightly fuzz run --sanitizer none "$target" "$learnt" "${seeds[@]}" -- \
        -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1
    rm -rf "$learnt"
done
