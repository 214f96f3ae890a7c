"""The writes without a row, by reason. A new write must have a row or stand here."""

from __future__ import annotations

_READ = "Asks for a preview and changes nothing."
_QUIET = "Runs in the background; its failure costs the user nothing."
_SAME = "Sent by the same mutation and shown in the same place as the row of the other method."
_AUTOSAVE = "Saves without a button; a failed save is tried again."
_LOGGED = "SPEC 7.2: a failure is only logged; the account is there."
_SIGN_OUT = "test_failed_sign_out_says_so_and_stays_signed_in lets it fail: the menu closes at the press."
_OWN_WORDS = "The page shows the words of the response, with any status (MONEY 3); test_money tests them."
_PAID = "Needs a paid plan; plan-page.test.tsx tests its failures."
_SESSION = "Sent by the login form: test_failed_session_says_so_and_is_sent_again lets it fail."

NOT_SWEPT: dict[str, str] = {
    "main-web/components/waivers/assess-risk POST": _READ,
    "main-web/features/angels/needs/api/preview-need POST": _READ,
    "main-web/features/console/api/create-preview POST": _READ,
    "main-web/features/listings/components/risk-preview POST": _READ,
    "guru-web/features/bookings/api/create-hold DELETE": _QUIET,
    "main-web/features/admin/documents/api/record-document-access POST": _QUIET,
    "main-web/features/bookings/api/release-hold DELETE": _QUIET,
    "main-web/components/porch-lights/own-porch-light DELETE": _SAME,
    "main-web/features/admin/api/update-suspension DELETE": _SAME,
    "main-web/features/admin/listings/api/update-listing-visibility DELETE": _SAME,
    "main-web/features/angels/api/update-own-service DELETE": _SAME,
    "main-web/features/listings/api/update-area DELETE": _SAME,
    "main-web/features/console/posts/api/save-working-copy PUT": _AUTOSAVE,
    "main-web/features/onboarding/api/save-draft PUT": _AUTOSAVE,
    "main-web/features/billing/api/change-plan POST": _PAID,
    "main-web/features/billing/api/get-pricing-table-session POST": _QUIET,
    "main-web/features/billing/api/open-portal POST": _PAID,
    "main-web/features/payouts/api/create-instant-payout POST": _OWN_WORDS,
    "main-web/lib/session/create-account POST": _LOGGED,
    "main-web/lib/session/create-session POST": _SESSION,
    "main-web/lib/session/delete-session DELETE": _SIGN_OUT,
}
