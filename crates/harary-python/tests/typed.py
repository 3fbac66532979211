"""Read by mypy and never run: the hints say what the program does, and refuse what it does not."""

import harary

settled: harary.Settled = harary.solve("skinny", "7x7", torus=False, rule="strong", threads=2, time="10m")
turn: int | None = settled.turn
sets: list[list[str]] = harary.Game(["I3", harary.Shape("D3")], harary.Board("3x3")).winning_sets()
pairs: list[tuple[str, str]] = harary.pave("fatty", "4x4").pairs
text: str = harary.check(b"").text
harary.Game("el", 3)  # type: ignore[arg-type]
settled.turn = 3  # type: ignore[misc]
harary.check(5)  # type: ignore[arg-type]
