"""What a need is about, told from its words; what it is fairly worth, from what angels ask."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from porchlight.angels.proposals import Fair, guess, stem
from tests.angels.conftest import Come
from tests.angels.people import BOULDER

# Written before the keywords were looked at again; none of them was changed to fit.
LABELLED = {
    "My kitchen faucet drips all night": "handyman-services",
    "The bathroom door no longer closes and the lock is stuck": "handyman-services",
    "Can somebody put together an IKEA wardrobe?": "handyman-services",
    "Two shelves came off the wall": "handyman-services",
    "I need a TV mounted above the fireplace": "handyman-services",
    "Patch a hole in the drywall and paint over it": "handyman-services",
    "Help me carry a couch up three flights of stairs": "moving-help",
    "Loading a truck on Saturday, about forty boxes": "moving-help",
    "We are moving to a new place and need two strong people": "moving-help",
    "An upright piano has to go to my sister's": "moving-help",
    "Deep clean before my parents visit": "cleaning-services",
    "Vacuum, mop and dust a two bedroom flat every other week": "cleaning-services",
    "Somebody to scrub the oven and wash the windows": "cleaning-services",
    "The carpets have stains from a party": "cleaning-services",
    "Mow the lawn while we are away": "yard-work",
    "Rake leaves on a corner lot": "yard-work",
    "Shovel snow from the driveway before seven": "yard-work",
    "The hedge needs trimming and there are weeds everywhere": "yard-work",
    "Walk my dog at noon on weekdays": "pet-sitting",
    "Feed two cats for a week": "pet-sitting",
    "A sitter for our rabbit": "pet-sitting",
    "Pick up a prescription from the pharmacy": "errands-shopping",
    "Weekly groceries for my mother": "errands-shopping",
    "Drop two parcels at the post office": "errands-shopping",
}


def _keywords() -> dict[str, list[str]]:
    told = tomllib.loads(files("porchlight.angels").joinpath("services.toml").read_text("utf-8"))
    return {service["id"]: service["keywords"] for service in told["service"]}


@pytest.mark.parametrize("words", LABELLED)
def test_words_tell_the_kind_of_help(words: str) -> None:
    assert guess(words, _keywords()).service_id == LABELLED[words]


@pytest.mark.parametrize("words", ["", "Hello there", "Bike lessons for grown-ups", "🙂🙂", "catalogue of cathedrals"])
def test_words_that_tell_nothing_are_not_forced(words: str) -> None:
    assert guess(words, _keywords()).service_id is None


def test_what_may_be_either_is_not_sure() -> None:
    found = guess("Clean the yard", _keywords())
    assert found.service_id in ("cleaning-services", "yard-work")
    assert not found.sure
    assert guess("Mow the lawn and rake the leaves", _keywords()).sure


@pytest.mark.parametrize(
    ("word", "same"),
    [("fixing", "fix"), ("fixes", "fixed"), ("batteries", "battery"), ("mopping", "mop"), ("hedges", "hedge")],
)
def test_endings_do_not_matter(word: str, same: str) -> None:
    assert stem(word) == stem(same)


def test_the_range_grows_with_the_hours_in_whole_dollars() -> None:
    assert Fair(2550, 3333, 4, True, 0).total(1.5) == (3800, 5000)


async def test_a_price_is_what_angels_near_ask(come: Come) -> None:
    service = "cleaning-services"
    asker = await come("Olive Owner")
    path, words = "/api/need-proposals", "Deep clean of the oven"

    async def proposed(**sent: object) -> dict[str, object]:
        answer = await asker.call("POST", path, json={"description": words, "hours": 2} | sent)
        assert answer.status_code == 200, answer.text
        data: dict[str, object] = answer.json()["data"]
        return data

    nobody = await proposed()
    assert (nobody["serviceId"], nobody["sure"], nobody["lowCents"]) == (service, True, None)
    for number, cents in enumerate((2000, 2400, 2800, 3200, 9900)):
        await (await come(f"Denver {number}")).helps(service, rateCents=cents)
    for number in range(3):
        await (await come(f"Boulder {number}")).helps(service, rateCents=5000 + number * 100, place=BOULDER)
    denver = await proposed(place={"text": "Colorado Springs, Colorado"})
    assert (denver["angels"], denver["nearby"]) == (8, False)  # nobody near: all there are
    near = await proposed(place={"latitude": 39.6, "longitude": -104.9})
    assert (near["lowRateCents"], near["highRateCents"], near["angels"], near["nearby"]) == (2400, 3200, 5, True)
    assert (near["lowCents"], near["highCents"]) == (4800, 6400)
    chosen = await proposed(serviceId="pet-sitting", description="")
    assert (chosen["serviceId"], chosen["lowCents"]) == ("pet-sitting", None)
    assert (await asker.call("POST", path, json={"hours": 2, "budget": 3})).status_code == 422
