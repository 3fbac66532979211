"""The Python door: what solve gives, the tables, mistakes, Ctrl-C, progress, threads."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from xml.dom import minidom

import pytest

import harary

# A game that nobody settles in the time these tests take.
LONG = ("snaky", "9x9")


def test_skinny_is_settled_and_proved(skinny: harary.Settled) -> None:
    assert (skinny.verdict, skinny.turn, skinny.win_by, skinny.first_move) == ("win", 13, 13, "d4")
    assert (skinny.refuted_turn, skinny.least, skinny.stopped) == (11, "searched", False)
    # The certificate of one thread is that of the atlas, byte for byte.
    known = harary.lookup("skinny", "7x7")
    assert known is not None and skinny.certificate is not None
    assert skinny.check().claim == "win 13"
    again = harary.solve("skinny", "7x7", threads=1, memory=known["memory"])
    assert again.certificate is not None and again.certificate.hash == known["certificate"]


def test_certificates_are_kept_and_checked(skinny: harary.Settled, tmp_path: Path) -> None:
    certificate = skinny.certificate
    assert certificate is not None
    assert bytes(certificate).decode() == certificate.text
    for name in ["skinny.cert", "skinny.cert.zst"]:
        certificate.save(tmp_path / name)
        assert harary.check(tmp_path / name).text == certificate.text
        assert harary.check(str(tmp_path / name)).hash == certificate.hash
    assert harary.check(bytes(certificate)).positions == certificate.positions
    compressed = (tmp_path / "skinny.cert.zst").read_bytes()
    assert len(compressed) < len(certificate) and harary.check(compressed).lines == certificate.lines
    with pytest.raises(harary.Refused, match="line"):
        harary.check(certificate.text.replace("win 13", "win 11"))
    with pytest.raises(harary.Refused):
        harary.check(certificate.text.rsplit("\n", 40)[0] + "\n")
    with pytest.raises(OSError, match="cannot write"):
        certificate.save(tmp_path / "missing" / "x.cert")


def test_the_strategy_wins_whatever_white_plays(skinny: harary.Settled) -> None:
    strategy = skinny.strategy()
    # White plays the last of the replies that are left to her, three different ways.
    for choice in range(3):
        position = skinny.game.position()
        while position.to_move:
            turn = strategy.next(position.moves)
            if turn.kind == "over":
                # One move is left, and it is told in words.
                assert turn.says is not None and turn.says.startswith("Black completes a winning set at ")
                position = position.play(turn.says.split()[-1])
                assert position.winner == "black" and len(position) <= 13
                break
            if turn.kind == "plays":
                assert turn.player == "black" and turn.cell is not None
                position = position.play(turn.cell)
            else:
                assert turn.player == "white"
                replies = [reply[0] for reply in turn.replies] or turn.rest
                position = position.play(replies[(choice * 7) % len(replies)])
        assert position.winner == "black"
    assert "Black begins with d4" in strategy.explain()
    assert strategy.tree(depth=2)["plays"]["cell"] == "d4"
    assert strategy.dot().startswith("digraph")
    assert "<script" in strategy.page() and "13" in strategy.page()


def test_every_family_and_rule(tmp_path: Path) -> None:
    def verdict(*words: object, **keywords: object) -> tuple[str, int | None]:
        settled = harary.solve(*words, threads=1, **keywords)  # type: ignore[arg-type]
        settled.check()
        return settled.verdict, settled.turn

    assert verdict("tippy", "3x3", torus=True) == ("win", 7)
    assert verdict("fatty", "4x4") == ("hold", None)
    assert verdict("tic", "3x3", rule="weak") == verdict(harary.Shape("XXX"), harary.Board("3x3"), rule="weak")
    assert verdict("hex", "3x3")[0] == "win"
    assert verdict(["I3", "D3"], "3x3") == ("hold", None) == verdict("row3", "3x3")
    assert verdict("I3+D3", "4x3", cylinder=True)[0] == "win"
    assert verdict("lines", "3x3")[0] == "hold"
    assert verdict("domino", "3x3", stones=(2, 1)) == ("loss", 3)
    assert verdict("el", "3x3", handicap=1)[0] == "win"
    assert verdict("tic", "3x3", black="b2", white=["a1"], to_move="black")[0] == "hold"
    game = harary.Game("el", "3x3", after="b2 a1")
    assert game.remark is not None and game.solve(threads=1).verdict == "win"
    (tmp_path / "el.pg").write_text(harary.Game("el", "3x3").pg())
    read = harary.Game.read(tmp_path / "el.pg")
    assert (read.name, read.board, read.solve(threads=1).turn) == ("el", None, 5)


def test_questions_about_one_turn_and_the_least() -> None:
    assert harary.solve("skinny", "7x7", within=11, threads=1).by_turn is False
    assert harary.solve("skinny", "7x7", within=13, threads=1).by_turn is True
    settled = harary.solve("el", "3x3", certify_least=True, threads=1)
    assert settled.least == "certified" and settled.least_certificate is not None
    assert settled.least_certificate.check().claim == "hold 3"
    nobody = harary.solve("tic", "3x3", stones=(2, 1), threads=1)
    assert (nobody.verdict, nobody.white) == ("hold", "refuted") and nobody.white_certificate is not None
    assert nobody.white_certificate.check().claim == "hold"


def test_limits_end_a_search_without_a_claim() -> None:
    settled = harary.solve(*LONG, nodes=2000, threads=1)
    assert (settled.verdict, settled.turn, settled.stopped, settled.certificate) == ("open", None, True, None)
    for thing in (settled.check, settled.strategy):
        with pytest.raises(LookupError, match="nothing is proved"):
            thing()
    assert "not settled" in str(settled)


def test_pictures_are_svg_and_text(skinny: harary.Settled) -> None:
    game = skinny.game
    pictures = [
        harary.Shape("snaky"),
        harary.Board("5x4", hexagonal=True),
        harary.Board("2x2x2"),
        game,
        game.position("d4 c3"),
        harary.pave("fatty", "4x4"),
        skinny,
        skinny.strategy(),
        skinny.strategy().picture(depth=2),
        skinny.strategy().board("d4"),
    ]
    for thing in pictures:
        svg = thing._repr_svg_()  # type: ignore[attr-defined]
        assert svg is not None and minidom.parseString(svg).documentElement.tagName == "svg", thing
        assert str(thing)


def test_positions_are_played() -> None:
    position = harary.Game("el", "3x3").position(["b2", "a1"])
    assert (position.moves, position.black, position.white, position.to_move) == (["b2", "a1"], ["b2"], ["a1"], "black")
    assert len(position.legal) == 7
    won = position.play("b3").play("c3").play("a3")
    assert (won.winner, won.to_move, won.legal) == ("black", None, [])
    with pytest.raises(ValueError, match="the game is over"):
        won.play("c1")


def test_tables_are_frames_or_lists() -> None:
    import pandas

    frame, rows = harary.atlas(), harary.atlas(frame=False)
    assert isinstance(frame, pandas.DataFrame) and len(frame) == len(rows) > 1000
    skinny = frame[(frame["shape"] == "skinny") & (frame["board"] == "7x7") & (frame["rule"] == "strong")]
    assert set(skinny["turn"]) == {13.0}
    assert {"win", "hold", "open"} >= set(frame["verdict"])
    assert isinstance(harary.shapes(), pandas.DataFrame)
    claims = harary.published("skinny", frame=False)
    assert any(claim["agreement"] == "DIFFERS" for claim in claims)
    # Without pandas the same is a list of dicts.
    code = "import sys; sys.modules['pandas'] = None; import harary; print(type(harary.atlas()).__name__)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "list\n"


def test_what_follows_by_a_law() -> None:
    known = harary.lookup("skinny", "12x12", rule="weak")
    assert known is not None and (known["verdict"], known["win_by"]) == ("win", 11) and "6x6" in known["law"]
    assert harary.lookup("0,0 9,9", "3x17") is None


@pytest.mark.parametrize(
    ("words", "keywords", "message"),
    [
        (("skiny", "7x7"), {}, "no shape 'skiny'; did you mean skinny?"),
        (("el",), {}, "a shape needs a board"),
        (("el", "99x99"), {}, "a board is 1x1 to 19x19, not 99x99"),
        (("el", "3x3"), {"rule": "mild"}, "'mild' is no rule"),
        (("el", "3x3"), {"torus": True, "cylinder": True}, "choose one"),
        (("el", "3x3"), {"handicap": 9}, "^handicap 9: at most 8 on a board of 9 cells$"),
        (("el", "3x3"), {"after": "a1", "to_move": "white"}, "^after says .* leave out black, white and to_move$"),
        (("el", "3x3"), {"after": "j9"}, "no cell 'j9'"),
        (("el", "3x3"), {"engine": "magic"}, "no engine 'magic'"),
        (("el", "3x3"), {"threads": 0}, "threads is 1 to 256, not 0"),
        (("el", "3x3"), {"nodes": -1}, "nodes is 1 or more, not -1"),
        (("el", "3x3"), {"memory": "much"}, "'much' is not a size"),
        (("el", "3x3"), {"time": "soon"}, "'soon' is not a time"),
        (("el", "3x3"), {"time": -1}, "is no time"),
        (("el", "3x3"), {"cover": "warm"}, "no cover"),
        (("el", "3x3"), {"stones": (2, 1), "engine": "dfpn"}, "engine dfpn: .* leave out handicap and stones"),
        ((harary.Game("el", "3x3"), "3x3"), {}, "a game has its board"),
        (("el", harary.Board("3x3")), {"torus": True}, "a Board has its family already"),
    ],
)
def test_mistakes_are_told_in_one_line(words: tuple[object, ...], keywords: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message) as told:
        harary.solve(*words, **keywords)  # type: ignore[arg-type]
    assert "\n" not in str(told.value)


def test_files_that_are_none() -> None:
    with pytest.raises(ValueError, match="cannot read /nowhere.pg"):
        harary.Game.read("/nowhere.pg")
    with pytest.raises(ValueError, match="cannot read /nowhere.cert"):
        harary.check("/nowhere.cert")
    with pytest.raises(ValueError, match="line 1"):
        harary.Game.from_pg("nonsense")


def test_progress_is_told_and_an_exception_stops_the_search() -> None:
    seen: list[harary.Progress] = []

    def look(progress: harary.Progress) -> None:
        seen.append(progress)
        if len(seen) == 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        harary.solve(*LONG, progress=look)
    assert len(seen) == 3 and seen[-1].nodes >= seen[0].nodes and seen[-1].phase == "searching"


def test_other_threads_run_meanwhile() -> None:
    """The lock is released: another thread counts while the search runs."""
    counts, over = [0], threading.Event()

    def count() -> None:
        while not over.is_set():
            counts[0] += 1

    counter = threading.Thread(target=count)
    counter.start()
    before = counts[0]
    harary.solve(*LONG, nodes=20_000, threads=1)
    passed = counts[0] - before
    over.set()
    counter.join()
    assert passed > 100


CHILD = """
import time, harary
print("ready", flush=True)
try:
    harary.solve("snaky", "9x9", progress=lambda progress: print("searching", flush=True))
except KeyboardInterrupt:
    print("interrupted", time.time(), flush=True)
print("alive", harary.solve("el", "3x3").turn, flush=True)
"""


def test_control_c_ends_a_search_within_a_second() -> None:
    child = subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    assert child.stdout.readline() == "searching\n"
    asked = time.time()
    os.kill(child.pid, signal.SIGINT)
    lines = [line for line in child.stdout if line != "searching\n"]
    assert child.wait() == 0
    assert lines[0].startswith("interrupted") and lines[1] == "alive 5\n"
    # The library waits half a second for the search at most; the rest is what a loaded machine may add.
    assert float(lines[0].split()[1]) - asked < 10
