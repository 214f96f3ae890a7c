"""The writes of the wizard, of documents, photos, saved searches and payouts."""

from __future__ import annotations

import re

from playwright.async_api import Page

from tests.e2e.failing_writes.steps import Write, choose, choose_file, fill, named, press

_WIZARD = "main-web/features/onboarding/api"
_PROFILE = "main-web/features/profiles/api"
_DOCUMENTS = "main-web/features/documents/api"
_PAYOUTS = "main-web/features/payouts/api"
_DIALOG = "[role=dialog]"
# The state of a connection without open requirements isn't asked for at Stripe.
_CONNECTED = """
INSERT INTO payout_accounts (user_id, account_id, charges_enabled, payouts_enabled, details_submitted, checked_at)
SELECT user_id, 'acct_of_dana', true, true, true, app.now() FROM users WHERE email = 'dana.kowalczyk@example.com'
    ON CONFLICT (user_id) DO UPDATE SET updated_at = app.now() RETURNING account_id"""
_ALL_STEPS_DONE = f"""
WITH payout AS ({_CONNECTED}), guru AS (SELECT user_id FROM users WHERE email = 'dana.kowalczyk@example.com'
), profile AS (
  INSERT INTO onboardings (user_id, display_name, city, zip, bio, complete)
  SELECT user_id, 'Dana Kowalczyk', 'Denver', '80202', 'I run ten miles a day.', true FROM guru
      ON CONFLICT (user_id) DO NOTHING
), category AS (
  INSERT INTO category_picks (user_id, category_slug) SELECT user_id, 'creative' FROM guru ON CONFLICT DO NOTHING
)
SELECT account_id FROM payout"""
_NO_DASHBOARD = "Could not open the Stripe dashboard. Please try again."


async def _check_creative(page: Page) -> None:
    await page.get_by_role("checkbox", name="Creative").check()


WIZARD = (
    Write(
        f"{_WIZARD}/save-profile",
        "POST",
        "/onboarding/profile",
        "asker",
        "/onboarding/profile",
        named("Save and continue"),
        (
            fill("Display Name", "Bea Thornton"),
            fill("City", "Denver"),
            fill("ZIP Code", "80202"),
            fill("Bio", "I repair gates, and I keep what I type."),
        ),
    ),
    Write(
        f"{_WIZARD}/save-categories",
        "POST",
        "/onboarding/categories",
        "asker",
        "/onboarding/categories",
        named("Continue"),
        (_check_creative,),
    ),
    Write(
        f"{_WIZARD}/confirm-skills",
        "PUT",
        "/onboarding/skills",
        "asker",
        "/onboarding/review",
        named("Confirm skills"),
        (fill("What you teach", "Gates, Hinges, Locks"),),
    ),
    Write(
        f"{_WIZARD}/confirm-services",
        "PUT",
        "/onboarding/services",
        "asker",
        "/onboarding/review",
        named("Confirm services"),
        (fill("Name", "An Hour at Your Gate"),),
    ),
    Write(
        f"{_WIZARD}/update-subdomain",
        "PUT",
        "/onboarding/subdomain",
        "guru",
        "/onboarding/review",
        named("Change address", inside=_DIALOG),
        (press("Change address"), fill("Site address", "rye-and-rosa")),
    ),
    Write(
        f"{_DOCUMENTS}/create-document",
        "POST",
        "/onboarding/documents",
        "asker",
        "/onboarding/documents",
        named("Upload document"),
        (
            choose("Type", value="cert"),
            fill("Provider", "Gates of Denver"),
            fill("Or a link to the document", "https://papers.example/gates.pdf"),
        ),
    ),
    Write(
        f"{_DOCUMENTS}/upload-document-file",
        "POST",
        "/onboarding/documents/files",
        "asker",
        "/onboarding/documents",
        named(re.compile("^Upload")),
        (choose("Type", value="cert"), fill("Provider", "Gates of Denver"), choose_file("File")),
    ),
    Write(
        f"{_WIZARD}/upload-photo",
        "PUT",
        "/onboarding/photo",
        "asker",
        "/onboarding/profile",
        named("Use this photo"),
        (choose_file("Photo file"),),
    ),
    Write(
        f"{_PROFILE}/update-photo",
        "PUT",
        "/auth/photo",
        "neighbor",
        "/profile",
        named("Use this photo"),
        (choose_file("Photo file"),),
    ),
    Write(
        f"{_PROFILE}/delete-photo",
        "DELETE",
        "/auth/photo",
        "neighbor",
        "/profile",
        named("Remove", inside="section[aria-labelledby=profile-photo]"),
    ),
    Write(
        "main-web/features/search/api/delete-saved-search",
        "DELETE",
        "/search/saved/[^/]+",
        "neighbor",
        "/search?q=rollerblades",
        named("Stop alerts for “rollerblades”"),
        (press("Email me new results"),),
    ),
    Write(
        f"{_PAYOUTS}/start-connection",
        "POST",
        "/connect/start",
        "asker",
        "/onboarding/payout",
        named("Connect with Stripe"),
    ),
    Write(
        f"{_PAYOUTS}/create-express-login",
        "POST",
        "/connect/express-login",
        "trainer",
        "/account/payouts",
        named(re.compile("^Open Stripe dashboard")),
        example=_CONNECTED,
        on_server_error=_NO_DASHBOARD,
        on_network_error=_NO_DASHBOARD,
    ),
    Write(
        f"{_WIZARD}/publish-site",
        "POST",
        "/onboarding/publish",
        "trainer",
        "/onboarding/review",
        named("Publish Profile"),
        example=_ALL_STEPS_DONE,
    ),
)
