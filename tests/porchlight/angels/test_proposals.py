"""The guessed service of a need, and the fair price from the rates of angels."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from porchlight.features.angels.needs.proposals import FairPrice, guess_service, stem
from tests.porchlight.angels.users import BOULDER
from tests.porchlight.named_users import CreateUser

# Written independently of the keywords. No description was changed to match.
LABELED = {
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
    data = tomllib.loads(files("porchlight.features.angels").joinpath("services.toml").read_text("utf-8"))
    return {service["id"]: service["keywords"] for service in data["service"]}


@pytest.mark.parametrize("words", LABELED)
def test_guess_service_matches_labeled_descriptions(words: str) -> None:
    assert guess_service(words, _keywords()).service_id == LABELED[words]


@pytest.mark.parametrize("words", ["", "Hello there", "Bike lessons for grown-ups", "🙂🙂", "catalog of cathedrals"])
def test_guess_service_without_keywords_is_none(words: str) -> None:
    assert guess_service(words, _keywords()).service_id is None


def test_guess_service_between_two_is_not_sure() -> None:
    result = guess_service("Clean the yard", _keywords())
    assert result.service_id in ("cleaning-services", "yard-work")
    assert not result.sure
    assert guess_service("Mow the lawn and rake the leaves", _keywords()).sure


@pytest.mark.parametrize(
    ("word", "same"),
    [("fixing", "fix"), ("fixes", "fixed"), ("batteries", "battery"), ("mopping", "mop"), ("hedges", "hedge")],
)
def test_stem_removes_word_endings(word: str, same: str) -> None:
    assert stem(word) == stem(same)


def test_price_total_scales_with_hours_in_dollars() -> None:
    assert FairPrice(2550, 3333, 4, True, 0).total(1.5) == (3800, 5000)


async def test_fair_price_uses_rates_of_nearby_angels(create_user: CreateUser) -> None:
    service = "cleaning-services"
    asker = await create_user("Olive Owner")
    path, words = "/api/need-proposals", "Deep clean of the oven"

    async def proposed(**fields: object) -> dict[str, object]:
        response = await asker.request("POST", path, json={"description": words, "hours": 2} | fields)
        assert response.status_code == 200, response.text
        data: dict[str, object] = response.json()["data"]
        return data

    without_angels = await proposed()
    assert (without_angels["serviceId"], without_angels["sure"], without_angels["lowCents"]) == (service, True, None)
    for number, cents in enumerate((2000, 2400, 2800, 3200, 9900)):
        await (await create_user(f"Denver {number}")).offer_service(service, rateCents=cents)
    for number in range(3):
        await (await create_user(f"Boulder {number}")).offer_service(
            service, rateCents=5000 + number * 100, place=BOULDER
        )
    denver = await proposed(place={"text": "Colorado Springs, Colorado"})
    assert (denver["angels"], denver["nearby"]) == (8, False)  # no angel is nearby, so all count
    near = await proposed(place={"latitude": 39.6, "longitude": -104.9})
    assert (near["lowRateCents"], near["highRateCents"], near["angels"], near["nearby"]) == (2400, 3200, 5, True)
    assert (near["lowCents"], near["highCents"]) == (4800, 6400)
    chosen = await proposed(serviceId="pet-sitting", description="")
    assert (chosen["serviceId"], chosen["lowCents"]) == ("pet-sitting", None)
    assert (await asker.request("POST", path, json={"hours": 2, "budget": 3})).status_code == 422
