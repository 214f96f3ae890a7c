"""The writes of signed-in neighbors."""

from __future__ import annotations

import re

from tests.e2e.failing_writes.steps import Write, choose, fill, named, press

_PROFILE = "main-web/features/profiles/api"
_LISTINGS = "main-web/features/listings/api"
_NEEDS = "main-web/features/angels/needs/api"
# A need of the demo that no test changes.
_NEED = "SELECT id::text FROM needs WHERE title = 'The garden gate no longer closes' LIMIT 1"

NEIGHBOR = (
    Write(
        "main-web/features/billing/api/start-checkout",
        "POST",
        "/billing/checkout",
        "neighbor",
        "/pricing",
        named("Get Premium Angel"),
    ),
    Write(
        f"{_PROFILE}/update-profile",
        "PUT",
        "/auth/profile",
        "neighbor",
        "/profile",
        named("Save profile"),
        (fill(re.compile("^Bio"), "I bake on Tuesdays, and I keep what I type."),),
    ),
    Write(
        "main-web/components/questions/ask-neighbor",
        "POST",
        "/users/theo-barnes/questions",
        "neighbor",
        "/u/theo-barnes",
        named("Send question"),
        (press("Ask Theo"), fill("Your question", "Could you look at my bicycle?")),
    ),
    Write(
        "main-web/features/search/api/create-saved-search",
        "POST",
        "/search/saved",
        "neighbor",
        "/search?q=rollerskating",
        named("Email me new results"),
    ),
    Write(
        f"{_LISTINGS}/create-listing",
        "POST",
        "/skills/offers",
        "neighbor",
        "/skills/mine",
        named("Add", inside="form:has(label:text-is('Add a skill you teach'))"),
        (fill("Add a skill you teach", "Rye bread"),),
    ),
    Write(
        f"{_LISTINGS}/create-wanted-skill",
        "POST",
        "/skills/wants",
        "neighbor",
        "/skills/mine",
        named("Add", inside="form:has(label:text-is('Add a skill you want to learn'))"),
        (fill("Add a skill you want to learn", "Juggling"),),
    ),
    Write(
        f"{_LISTINGS}/delete-listing",
        "DELETE",
        "/skills/offers/[^/]+",
        "neighbor",
        "/skills/mine",
        named("Remove Sourdough baking"),
    ),
    Write(
        f"{_LISTINGS}/delete-wanted-skill",
        "DELETE",
        "/skills/wants/[^/]+",
        "neighbor",
        "/skills/mine",
        named("Remove Guitar"),
    ),
    Write(
        f"{_LISTINGS}/update-listing",
        "PUT",
        "/skills/offers/[^/]+",
        "neighbor",
        "/skills/mine",
        named("Save listing"),
        (press("Edit Sourdough baking"), fill(re.compile("^About this skill"), "From starter to loaf.")),
    ),
    Write(
        "main-web/features/angels/api/update-own-service",
        "PUT",
        "/angel-services/[^/]+",
        "neighbor",
        "/be-an-angel?service=yard-work",
        named("Become an angel"),
        (fill("Hourly rate ($)", "27.50"), fill("Your location", "Boulder, Colorado")),
    ),
    Write(
        f"{_NEEDS}/create-need",
        "POST",
        "/needs",
        "neighbor",
        "/needs/new",
        named("Post this need"),
        (
            fill("What do you need?", "Fix a leaning fence"),
            fill("Where", "Denver, Colorado"),
            press("Continue"),
            fill("Details", "Two posts are rotten, the boards are fine."),
            choose("Kind of help", value="handyman-services"),
        ),
    ),
    Write(
        f"{_NEEDS}/create-offer",
        "POST",
        "/needs/[^/]+/offers",
        "neighbor",
        "/needs/{}",
        named("Send offer"),
        (
            fill("Price for the whole job ($)", "70"),
            fill("Your message", "I can come on Saturday with my own tools."),
        ),
        example=_NEED,
    ),
    Write(
        f"{_NEEDS}/withdraw-need",
        "POST",
        "/needs/[^/]+/withdrawal",
        "asker",
        "/needs/{}",
        named("Withdraw", inside="[role=alertdialog]"),
        (press("Withdraw this need"),),
        example=_NEED,
    ),
)
