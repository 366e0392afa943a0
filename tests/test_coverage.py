"""Every rule of the catalogue of an edition is said in YAML and shown by a test, as `cromford sources` counts it."""

import subprocess
import sys

import pytest

GAMES = ["spinning_jenny", "waterframe", "spinning_mule", "waterframe_2014", "brass"]
MODULES = ["east_india_company", "asymmetric_factories"]


@pytest.mark.parametrize(
    ("ruleset", "modules"),
    [(game, "") for game in GAMES] + [(game, ",".join(MODULES)) for game in ("waterframe", "spinning_mule")],
)
def test_every_rule_is_said_and_shown(ruleset: str, modules: str) -> None:
    command = [sys.executable, "-m", "interpreter.cli.main", "sources", ruleset, "--check"]
    told = subprocess.run(
        [*command, *(["--with", modules] if modules else [])], capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert told.stdout.count("100.0 %") == 2
