#!/usr/bin/env bash
# The tests of verified/: no axioms, no gaps, and a few certificates. `make test` runs it.
set -euo pipefail
cd "$(dirname "$0")"

said=$(coqc -q -Q . Harary Assumptions.v)
[ "$said" = "Closed under the global context" ] || { echo "the theorem rests on more: $said"; exit 1; }
if grep -nE '\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture)\b' -- *.v; then
    echo "a gap in the proofs"
    exit 1
fi

expect() { # CODE FILE: the program must leave with this code.
    code=0
    said=$(./harary-check-verified "$2") || code=$?
    [ "$code" = "$1" ] || { echo "code $code, not $1: $said"; exit 1; }
}
for file in ../tests/certificates/*.cert; do
    expect 0 "$file"
done
damaged=$(mktemp)
trap 'rm -f "$damaged"' EXIT
for file in ../tests/certificates/*.cert; do
    sed '$d' "$file" >"$damaged"
    expect 1 "$damaged"
done
sed 's/claim win 5/claim win 4/' ../tests/certificates/el-3x3.cert >"$damaged"
expect 1 "$damaged"
expect 2 no-such-file
echo "verified: no axioms, no gaps, certificates accepted and refused as they should be"
