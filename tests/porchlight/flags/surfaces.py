"""Where each flag is visible, and the test of each place with both values.

A flag that something reads has one entry for each surface: the test that decides, as `file::name`, or why the surface
has nothing to show. Cases of main-web are named as in `FLAGS`, the table of that file.
"""

from __future__ import annotations

from dataclasses import dataclass

SURFACES = ("api", "menu", "links", "guru site", "console", "emails", "admin")

FLAGS = "main-web/src/app/flags.test.tsx"
_HERE = "tests/porchlight/flags/test_surfaces.py"
_BOOKINGS = "tests/porchlight/bookings"
_REVIEWS = "tests/porchlight/reviews"
_MESSAGES = "tests/porchlight/messages/test_messages.py"
_SKILLS = "main-web/src/features/skills/pages/skills-page.test.tsx"
_PAGES = "tests/sites/rendering/test_templates.py::test_pages_follow_flags_of_the_site"


@dataclass(frozen=True, slots=True)
class Nothing:
    """A surface that shows the same with both values, and the reason."""

    reason: str


Surface = tuple[str, ...] | Nothing

TESTS: dict[str, dict[str, Surface]] = {
    "booking": {
        "api": (
            f"{_BOOKINGS}/test_bookings_api.py::test_hold_is_404_while_guru_has_booking_off",
            f"{_BOOKINGS}/test_waitlist.py::test_joining_while_booking_is_off_is_404",
            "tests/porchlight/teachers/test_teachers_api.py::test_teachers_are_not_found_while_booking_is_off",
        ),
        "menu": (f"{FLAGS}::booking menu", f"{FLAGS}::the account menu lists sessions only while they can be booked"),
        "links": (f"{FLAGS}::booking links", f"{FLAGS}::booking pages"),
        "guru site": (_PAGES, f"{_BOOKINGS}/test_times_page.py::test_times_of_unoffered_service_redirect"),
        "console": (
            f"{FLAGS}::booking console menu",
            f"{FLAGS}::booking console",
            f"{FLAGS}::booking console hours",
            f"{FLAGS}::booking console service",
        ),
        # Emails about sessions that are agreed already go on: both sides keep to them.
        "emails": (f"{_BOOKINGS}/test_waitlist.py::test_spots_are_offered_only_while_booking_is_on",),
        "admin": (
            f"{FLAGS}::booking admin",
            f"{_BOOKINGS}/test_admin_sessions.py::test_sessions_with_flag_off_are_unavailable",
        ),
    },
    "messaging": {
        "api": (f"{_MESSAGES}::test_messages_are_off_with_the_flag",),
        "menu": (f"{FLAGS}::messaging menu",),
        "links": (f"{FLAGS}::messaging links", f"{FLAGS}::messaging pages", f"{_SKILLS}::says what is still coming"),
        "guru site": (_PAGES, f"{_HERE}::test_guru_site_passes_flags_to_its_pages"),
        "console": (f"{FLAGS}::messaging console menu", f"{FLAGS}::messaging console"),
        "emails": (f"{_MESSAGES}::test_messages_are_off_with_the_flag",),
        "admin": Nothing("staff see messages only in reports, which stay"),
    },
    "realTimeChat": {
        "api": ("tests/porchlight/messages/test_stream.py::test_server_ends_streams_when_it_stops",),
        "menu": Nothing("the number in the header is the same, sooner"),
        "links": ("main-web/src/features/messages/lib/stream.test.ts::holds one stream for all tabs",),
        "guru site": Nothing("guru sites show no messages"),
        "console": Nothing("the console shows the same messages, sooner"),
        "emails": Nothing("emails about unread messages wait for the same time"),
        "admin": Nothing("staff see messages only in reports"),
    },
    "reviews": {
        "api": (f"{_REVIEWS}/test_reviews_api.py::test_reviews_are_404_while_guru_has_flag_off",),
        "menu": Nothing("no menu of the main platform leads to reviews"),
        "links": (
            "main-web/src/features/reviews/components/session-reviews.test.tsx::shows nothing while reviews are off",
        ),
        "guru site": (_PAGES, f"{_REVIEWS}/test_reviews_page.py::test_reviews_page_redirects_while_flag_is_off"),
        "console": (f"{FLAGS}::reviews console menu", f"{FLAGS}::reviews console"),
        "emails": (f"{_REVIEWS}/test_review_emails.py::test_review_reminder_follows_flag_and_choice",),
        "admin": (f"{FLAGS}::reviews admin",),
    },
    "userProfiles": {
        "api": (f"{_HERE}::test_profiles_are_found_only_while_they_are_on",),
        "menu": Nothing("Profile leads to SPEC 2.7's placeholder"),
        "links": (
            "main-web/src/components/profile-link.test.tsx::links to a profile only while there are profiles",
            f"{FLAGS}::userProfiles pages",
            "tests/porchlight/search/test_public_pages.py::test_listing_page_has_meta_tags_without_scripts",
        ),
        "guru site": (_PAGES, f"{_HERE}::test_guru_site_passes_flags_to_its_pages"),
        "console": Nothing("the console has no link to a profile"),
        "emails": Nothing("no email has a link to a profile"),
        "admin": (f"{FLAGS}::userProfiles admin", f"{_HERE}::test_admin_area_refuses_what_is_off"),
    },
    "skillListing": {
        "api": ("tests/porchlight/flags/test_flags.py::test_skill_listing_flag_closes_listing_routes",),
        "menu": (f"{FLAGS}::skillListing menu",),
        "links": (
            f"{FLAGS}::skillListing links",
            f"{FLAGS}::skillListing search",
            f"{FLAGS}::skillListing pages",
            f"{_HERE}::test_sitemap_has_listings_only_while_they_are_on",
        ),
        "guru site": Nothing("guru sites show no listings of neighbors"),
        "console": Nothing("the console shows no listings"),
        "emails": ("tests/porchlight/search/test_jobs.py::test_alerts_pause_while_listings_are_off",),
        "admin": (f"{FLAGS}::skillListing admin", f"{_HERE}::test_admin_area_refuses_what_is_off"),
    },
    "systemReports": {
        "api": ("tests/porchlight/reports/test_reports.py::test_flag_disables_reports",),
        "menu": Nothing("no menu leads to a report"),
        "links": (f"{FLAGS}::systemReports links",),
        "guru site": (
            _PAGES,
            "tests/porchlight/reports/test_reports.py::test_flag_disables_reports",
            "tests/porchlight/reports/test_reports.py::test_guru_flag_disables_own_form_only",
        ),
        "console": Nothing("gurus do not see reports"),
        "emails": (
            "main-web/src/features/leads/pages/lead-address-page.test.tsx::systemReports: false",
        ),  # the page that a lead's email leads to
        "admin": (f"{FLAGS}::systemReports admin", f"{_HERE}::test_admin_area_refuses_what_is_off"),
    },
    "certifications": {
        "api": (
            "tests/porchlight/onboarding/test_publishing.py::test_badge_is_hidden_while_its_flag_is_off",
            "tests/porchlight/onboarding/test_publishing.py::test_categories_are_listed_by_approved_documents",
        ),
        "menu": Nothing("no menu leads to badges"),
        "links": (f"{FLAGS}::certifications review",),
        "guru site": ("tests/porchlight/onboarding/test_publishing.py::test_badge_is_hidden_while_its_flag_is_off",),
        "console": Nothing("the console shows categories without badges"),
        "emails": Nothing("no email names the badge"),
        "admin": Nothing("documents are reviewed with both values"),
    },
    "instantPayouts": {
        "api": ("tests/porchlight/payouts/test_payout_access.py::test_flag_off_hides_instant_payouts",),
        "menu": Nothing("no menu leads to instant payouts"),
        "links": ("main-web/src/features/payouts/components/money-blocks.test.tsx::setFlag(false",),
        "guru site": Nothing("guru sites show no money of the guru"),
        "console": ("main-web/src/features/payouts/components/money-blocks.test.tsx::setFlag(false",),
        "emails": Nothing("emails about payouts report what happened"),
        "admin": Nothing("staff see payouts of both kinds"),
    },
}
