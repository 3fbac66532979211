"""Doc strings, the README's example and docs/python.md say what is so; the notebook runs."""

import doctest
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import harary

CRATE = Path(__file__).parent.parent
ROOT = CRATE.parent.parent
NAMES = {"harary": harary, **{name: getattr(harary, name) for name in harary.__all__}}


@pytest.mark.parametrize("name", ["harary", *harary.__all__])
def test_doc_strings(name: str) -> None:
    thing = harary if name == "harary" else getattr(harary, name)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in doctest.DocTestFinder().find(thing, name, module=False, globs=dict(NAMES)):
        # Of the package its own text alone: its members have their turn.
        if name != "harary" or test.name == "harary":
            runner.run(test)
    assert runner.summarize().failed == 0


def test_everything_is_documented() -> None:
    for name in harary.__all__:
        thing = getattr(harary, name)
        members = [] if not isinstance(thing, type) else [vars(thing)[m] for m in vars(thing) if not m.startswith("_")]
        for member in [thing, *members]:
            assert member.__doc__, f"{name}: {member} has no doc string"


@pytest.mark.parametrize("page", ["README.md", "docs/python.md", "crates/harary-python/README.md"])
def test_examples_of_pages(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line `x  # y` prints y, or has the value y."""
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert blocks, f"{page} has no example"
    checked = 0
    for block in blocks:
        names: dict[str, object] = {}
        for line in block.splitlines():
            code, _, expected = line.partition("  # ")
            printed: list[str] = []
            names["print"] = lambda *words, seen=printed: seen.append(" ".join(map(str, words)))
            if expected and not code.startswith("print("):
                printed.append(repr(eval(code, names)))
            elif code.strip():
                exec(code, names)
            if expected:
                assert "\n".join(printed) == expected, f"{page}: {line}"
                checked += 1
    assert checked, f"{page} shows no answer"


def test_notebook(tmp_path: Path) -> None:
    notebook = nbformat.read(CRATE / "notebooks" / "skinny.ipynb", as_version=4)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    pictures = [output for output in outputs if "image/svg+xml" in output.get("data", {})]
    assert len(pictures) >= 5, "the story has its pictures"
    text = "\n".join(str(output) for output in outputs)
    assert "Black wins skinny on 7x7 plain, strong rule, by turn 13" in text
