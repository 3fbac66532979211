"""Processor time of a game from the command line and from Python, in turn: for docs/python.md, not a test.

python speed.py HARARY [RUNS [SHAPE BOARD]]
"""

import resource
import subprocess
import sys

program = sys.argv[1]
runs = int(sys.argv[2]) if len(sys.argv) > 2 else 4
shape, board = sys.argv[3:5] if len(sys.argv) > 4 else ("snaky", "8x8")
COMMAND = [program, "solve", shape, board, "--fresh", "--threads", "1", "--memory", "256MiB", "--progress", "none"]
CODE = f"""
import time, harary
before = time.process_time()
settled = harary.solve({shape!r}, {board!r}, threads=1, memory="256MiB")
print(time.process_time() - before)
assert settled.verdict != "open"
"""


def by_command() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(COMMAND, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def by_python() -> float:
    return float(subprocess.run([sys.executable, "-c", CODE], check=True, capture_output=True, text=True).stdout)


pairs = [(by_command(), by_python()) for _ in range(runs)]
least = [min(times) for times in zip(*pairs)]
print(f"command line {least[0]:.2f} s, Python {least[1]:.2f} s: {least[1] / least[0]:.3f} times as much")
