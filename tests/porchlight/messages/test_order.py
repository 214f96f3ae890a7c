"""Six clients of two people, whose requests are cut, see the same messages in the same order."""

from __future__ import annotations

from tests.fixtures.databases import Database
from tests.porchlight.messages.api import open_thread
from tests.porchlight.messages.conversation import check_conversation, converse
from tests.porchlight.named_users import CreateUser

MESSAGES = 240


async def test_clients_see_the_same_order(create_user: CreateUser, database: Database) -> None:
    people = (await create_user("Zoe Order"), await create_user("Theo Order"))
    followers = await converse(people, await open_thread(*people), MESSAGES, seed=7)
    check_conversation(followers, MESSAGES, database.service_url)
