#!/usr/bin/env bash
# The Python door, as users get it: builds the wheel, installs it into a fresh environment, runs its tests there (doc strings, the
# examples of the pages, the notebook, Ctrl-C) and has mypy read its hints. Called by tests/all.sh; alone:
#   bash tests/python.sh
# Nothing is skipped: what is missing fails. Needs Python 3.10 or later with venv, and PyPI.
set -euo pipefail
cd "$(dirname "$0")/.."

python3 -c 'import sys, ensurepip, venv; assert sys.version_info >= (3, 10)' 2>/dev/null \
    || { apt-get update -q && apt-get install -y -q --no-install-recommends python3 python3-venv; }
home=$PWD/target/python
tools=$home/tools
# The tools are kept; the environment the wheel is installed into is fresh every time.
wanted="maturin==1.16.0 pytest==9.2.0 nbclient==0.11.0 ipykernel==7.4.0 mypy==2.4.1 pandas==3.1.1 pandas-stubs==3.1.0.261029"
if [ ! -e "$tools/ready" ] || [ "$(cat "$tools/ready")" != "$wanted" ]; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    # shellcheck disable=SC2086
    "$tools/bin/pip" install --quiet --disable-pip-version-check $wanted
    echo "$wanted" >"$tools/ready"
fi

crate=crates/harary-python
echo "== cargo fmt ($crate)"
cargo fmt --manifest-path "$crate/Cargo.toml" -- --check
# A lock file of its own: after a change of harary's dependencies run 'cargo update --workspace' there.
export CARGO_TARGET_DIR=$PWD/target
export PYO3_PYTHON=$tools/bin/python
rm -rf "$home/wheels"
echo "== the wheel"
PATH=$tools/bin:$PATH "$tools/bin/maturin" build --quiet --release --locked --manifest-path "$crate/Cargo.toml" --out "$home/wheels"

echo "== pip install, in a fresh environment without anything else"
rm -rf "$home/fresh"
python3 -m venv "$home/fresh"
"$home/fresh/bin/pip" install --quiet --disable-pip-version-check --no-index "$home"/wheels/harary-*.whl
(cd / && "$home/fresh/bin/python" -c 'import harary; settled = harary.solve("el", "3x3"); settled.check(); assert settled.turn == 5')

echo "== pytest"
"$tools/bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps --force-reinstall "$home"/wheels/harary-*.whl
"$tools/bin/python" -m pytest --quiet -p no:cacheprovider "$crate/tests"
echo "== mypy"
(cd "$crate" && "$tools/bin/mypy" --cache-dir "$home/mypy" --config-file pyproject.toml --warn-unused-ignores -p harary)
(cd "$crate" && "$tools/bin/mypy" --cache-dir "$home/mypy" --config-file pyproject.toml tests/typed.py)
