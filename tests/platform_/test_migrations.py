"""The head that a serving worker knows is the head of the chain."""

from __future__ import annotations

from alembic.script import ScriptDirectory

from porchlight.migrations import config, head


def test_the_newest_file_is_the_chains_head() -> None:
    assert head() == ScriptDirectory.from_config(config("postgresql://nobody@127.0.0.1:1/none")).get_current_head()
