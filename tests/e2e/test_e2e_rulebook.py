"""The rulebook that a demo is given reaches the simulated players, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealer.cli.simulated import Wish, simulated_table
from dealer.errors import BadInput

SPRING_CUP = Path(__file__).resolve().parents[2] / "docs/examples/spring-cup.toml"


def wish(rulebook: str, folder: Path) -> Wish:
    return Wish(
        seed=1, deals=1, scenario="clean", truth=folder / "truth.jsonl", speed=1.0, pace="quick", camera=False,
        rulebook=rulebook,
    )  # fmt: skip


async def test_a_regulation_is_understood_by_the_players(tmp_path: Path) -> None:
    async with simulated_table(wish(str(SPRING_CUP), tmp_path)) as table:
        assert table.process.returncode is None


async def test_players_who_are_given_an_unknown_rulebook_do_not_sit_down(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadInput):
        async with simulated_table(wish("chess", tmp_path)):
            pass
    assert "'chess' is not a rulebook" in capfd.readouterr().err
