"""What the tests share."""

import pytest

import harary


@pytest.fixture(scope="session")
def skinny() -> harary.Settled:
    return harary.solve("skinny", "7x7", threads=1)
