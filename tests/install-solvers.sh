#!/bin/sh
# Installs the QBF solvers the tests run: DepQBF 5.01 from Debian, and DepQBF 6.03, CAQE, Qute, RAReQS, QFun and the
# preprocessor Bloqqer 37 out of PyPI's pyqbf in a private environment. Quick when they are there. Needs root for apt; the
# first installation of pyqbf compiles for some minutes.
set -eu

venv="${HOME}/.cache/harary/qbf-venv"

missing() {
    for program in pyqbf_depqbf pyqbf_caqe pyqbf_qute pyqbf_rareqs pyqbf_qfun; do
        found=no
        for path in "$venv"/lib/python3*/site-packages/cmeel.prefix/bin/"$program"; do
            [ -x "$path" ] && found=yes
        done
        [ "$found" = yes ] || return 0
    done
    return 1
}

debian() {
    dpkg-query -W -f '${Status}\n' "$@" 2>/dev/null | grep -c 'install ok installed' | grep -qx "$#" && return
    apt-get install -y --no-install-recommends "$@" >/dev/null 2>&1 ||
        { apt-get update >/dev/null && apt-get install -y --no-install-recommends "$@" >/dev/null; }
}

command -v depqbf >/dev/null || debian depqbf
if missing; then
    # pyqbf comes as source: it needs a compiler, CMake's generator and Python's headers.
    debian build-essential git
    python3 -c 'import venv, ensurepip' 2>/dev/null || debian python3 python3-venv
    python3 -c 'import os, sysconfig; assert os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h"))' \
        2>/dev/null || debian python3-dev
    # An installation that was cut short is started over.
    rm -rf "$venv"
    mkdir -p "$(dirname "$venv")"
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check pyqbf==1.1.1.3
    if missing; then
        echo "install-solvers: pyqbf is installed but its programs are not in $venv" >&2
        exit 1
    fi
fi
bloqqer() {
    # pyqbf has Bloqqer as a library whose answer lacks variables of the prefix; its sources make the program, too. pip would
    # build all of pyqbf only to look at its version, so the sources are fetched without it.
    command -v cc >/dev/null || debian build-essential
    sources=$(mktemp -d)
    trap 'rm -rf "$sources"' EXIT
    "$venv/bin/python" - "$sources/pyqbf.tar.gz" <<'END' || return 1
import hashlib, re, sys, urllib.parse, urllib.request
index = "https://pypi.org/simple/pyqbf/"
page = urllib.request.urlopen(index, timeout=60).read().decode()
link = next(link for link in re.findall(r'href="([^"#]*pyqbf-1\.1\.1\.3\.tar\.gz)', page))
text = urllib.request.urlopen(urllib.parse.urljoin(index, link), timeout=300).read()
if hashlib.sha256(text).hexdigest() != "f9e1ecf17886fee620bb396815882ebeca6c29b4c2521270c07ab461b0691da9":
    sys.exit("these are not the sources of pyqbf 1.1.1.3")
open(sys.argv[1], "wb").write(text)
END
    tar -xzf "$sources/pyqbf.tar.gz" -C "$sources" pyqbf-1.1.1.3/third_party/bloqqer || return 1
    cd "$sources/pyqbf-1.1.1.3/third_party/bloqqer" || return 1
    cc -w -O3 -DNDEBUG -DNLOG -o bloqqer bloqqer.c blqrcfg.c && cp bloqqer "$venv/bin/bloqqer"
}
if [ ! -x "$venv/bin/bloqqer" ] && ! (bloqqer); then
    echo "bloqqer: not installed; the tests that need it are skipped" >&2
fi
depqbf --version 2>&1 | head -n 1
echo "pyqbf 1.1.1.3 in $venv"
