"""Settles Harary's generalised tic-tac-toe, and proves it.

>>> import harary
>>> settled = harary.solve("skinny", "7x7", threads=1)
>>> settled.verdict, settled.turn, settled.first_move
('win', 13, 'd4')
>>> settled.check()
<Black wins skinny on 7x7 plain, strong rule, by turn 13; 5010 positions checked>

Everything that is settled here has a certificate that the checker has accepted. What is known without a search is in
`lookup`, `atlas` and `published`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import _harary
from ._harary import (
    Board,
    Certificate,
    Game,
    Paving,
    Picture,
    Position,
    Progress,
    Refused,
    Settled,
    Shape,
    Strategy,
    Turn,
    check,
    lookup,
)

__all__ = [
    "Board",
    "Certificate",
    "Game",
    "Paving",
    "Picture",
    "Position",
    "Progress",
    "Refused",
    "Settled",
    "Shape",
    "Strategy",
    "Turn",
    "atlas",
    "check",
    "lookup",
    "pave",
    "published",
    "shapes",
    "solve",
]


def solve(
    target: Game | Shape | str | Sequence[Shape | str],
    board: Board | str | None = None,
    *,
    within: int | None = None,
    engine: str = "auto",
    threads: int | None = None,
    memory: int | str | None = None,
    time: float | str | None = None,
    nodes: int | None = None,
    certify_least: bool = False,
    cover: str | None = None,
    progress: Callable[[Progress], object] | None = None,
    **game: Any,
) -> Settled:
    """Settles a game: searches it, writes the proof down and has it checked.

    `target` and `board` are those of `Game`, and so are all other keywords (`torus`, `rule`, `after`, ...); or `target` is a
    `Game`. `within` asks only whether Black wins by that turn. The limits: `threads` (all cores), `memory` for tables (bytes or
    `"2GiB"`), `time` (seconds or `"10m"`), `nodes`. What is not settled within them has the verdict `"open"`.
    `certify_least` also proves that no earlier turn wins (with `within`: that no turn up to it does), `cover` looks for wins
    inside a cover only (`"static"`, `"dynamic"`, or a window `"7x7"`). `progress` is called with a `Progress` a few times a
    second; an exception of its stops the search, and so does Ctrl-C.

    >>> solve("tippy", "4x4", threads=1).turn
    9
    >>> solve("fatty", "4x4", rule="weak", threads=1).verdict
    'hold'
    >>> solve(["I3", "D3"], "3x3", rule="weak", threads=1)
    <Black wins the game of 9 vertices and 8 winning sets, weak rule, by turn 7; 10 positions checked>
    >>> solve("skinny", "7x7", within=11, threads=1).by_turn
    False
    """
    return _game(target, board, game).solve(
        within=within,
        engine=engine,
        threads=threads,
        memory=memory,
        time=time,
        nodes=nodes,
        certify_least=certify_least,
        cover=cover,
        progress=progress,
    )


def pave(
    target: Game | Shape | str | Sequence[Shape | str],
    board: Board | str | None = None,
    *,
    dominoes: bool = False,
    after: str | Sequence[str] = "",
    periodic: str | None = None,
    time: float | str | None = None,
    **game: Any,
) -> Paving:
    """Looks for a paving, by which White holds; see `Game.pave`.

    >>> bool(pave("tic", "3x3"))
    False
    >>> pave("fatty", "6x6", dominoes=True, periodic="2x1+1").period
    '2x1+1'
    """
    return _game(target, board, game).pave(dominoes=dominoes, after=after, periodic=periodic, time=time)


def _game(
    target: Game | Shape | str | Sequence[Shape | str], board: Board | str | None, keywords: dict[str, Any]
) -> Game:
    if not isinstance(target, Game):
        if board is None:
            raise ValueError("a shape needs a board; write harary.solve('skinny', '7x7')")
        return Game(target, board, **keywords)
    if board is not None or keywords:
        raise ValueError("a game has its board and its rules already; give nothing but limits")
    return target


def atlas(*, frame: bool | None = None) -> Any:
    """The verdicts that ship with the program: a data frame where pandas is there, otherwise a list of dicts.

    `frame=True` insists on pandas, `frame=False` on the list.

    >>> len(atlas(frame=False)) > 1000
    True
    """
    return _table(_harary.atlas(), frame)


def shapes(*, frame: bool | None = None) -> Any:
    """The catalogue of shapes, in the same form as `atlas`.

    >>> [shape["name"] for shape in shapes(frame=False) if shape["size"] == 3 and shape["animal"]]
    ['tic', 'el']
    """
    return _table(_harary.shapes(), frame)


def published(shape: str | None = None, *, frame: bool | None = None) -> Any:
    """What the literature claims (of one shape), beside ours, in the same form as `atlas`.

    >>> [row["agreement"] for row in published("tippy", frame=False) if row["board"] == "4x4 plain"]
    ['DIFFERS']
    """
    rows = _harary.published()
    return _table([row for row in rows if shape is None or row["shape"] == shape], frame)


def _table(rows: list[dict[str, Any]], frame: bool | None) -> Any:
    if frame is False:
        return rows
    try:
        import pandas
    except ImportError:
        if frame:
            raise
        return rows
    return pandas.DataFrame(rows)
