const READ = "Asks for a preview and changes nothing.";
const QUIET = "Runs in the background; its failure costs the user nothing.";
const SAME = "Sent by the same mutation and shown in the same place as the row of the other method.";
const AUTOSAVE = "Saves without a button; a failed save is tried again.";
const PAID = "Needs a paid plan; plan-page.test.tsx tests its failures.";
const OWN_WORDS = "The page shows the words of the response, with any status (MONEY 3); test_money tests them.";
const LOGGED = "SPEC 7.2: a failure is only logged; the account is there.";
const SESSION = "Sent by the login form: test_failed_session_says_so_and_is_sent_again lets it fail.";
const SIGN_OUT = "test_failed_sign_out_says_so_and_stays_signed_in lets it fail: the menu closes at the press.";
const SIGNED = "Needs a participant with a link; the tests of its page let it fail.";
const CONNECTED = "Needs a connected domain; domains.test.tsx lets it fail.";
const SERIES = "In the dialog of the change of one session, which has a row: its error is shown in the same place.";
const CUSTOMER = "About a customer without an account: the tests of the dialog and of the page let it fail.";
const AT_HOME = "Needs a session at the neighbor's place: session-address.test.tsx lets it fail.";
const ASKED = "Needs a session with questions: questions.test.tsx lets it fail.";
const OUTBOX = "The message stays and says that it was not sent: messages-page.test.tsx lets it fail.";
const CONVERSATION = "Needs a conversation of the viewer: messages-page.test.tsx and its dialogs let it fail.";
const REVIEW = "Needs an ended session: session-reviews.test.tsx and reviews-page.test.tsx let it fail.";
const WEEK = "In the calendar's dialogs: week-view.test.tsx lets it fail.";
const HELD = "Needs a session that waits for its payment: session-payment.test.tsx lets it fail.";
const INVOICE = "In the dialog of an order or of the guru's details: the tests of both pages let it fail.";
const TIPPED = "Needs an ended session of a guru who takes cards: session-tip.test.tsx lets it fail.";
const SOLD = "Needs a package that a guru sells: buy-package-page.test.tsx lets it fail.";
const DISPUTED = "Needs a payment that a bank asks about: disputes.test.tsx lets it fail.";
const REFUNDED = "Needs a paid session: refund-dialog.test.tsx lets it fail.";
const STAFF = "Needs a paid session: payments.test.tsx of staff lets it fail.";
const FAILED = "Needs a refund that failed: money-page.test.tsx of staff lets it fail.";
const BROWSER = "jsdom draws no pictures: tests/e2e/failing_writes lets it fail in a browser.";

/** The writes without a row, by reason. A new write must have a row or stand here. */
export const NOT_SWEPT: Readonly<Record<string, string>> = {
  "features/bookings/guru/api/propose-moves POST": WEEK,
  "features/hours/guru/api/update-block PUT": WEEK,
  "features/waivers/api/assess-risk POST": READ,
  "features/angels/needs/api/preview-need POST": READ,
  "features/console/api/create-preview POST": READ,
  "features/listings/components/risk-preview POST": READ,
  "features/documents/admin/api/record-document-access POST": QUIET,
  "features/bookings/api/release-hold DELETE": QUIET,
  "features/porch-lights/api/own-porch-light DELETE": SAME,
  "features/admin/api/update-suspension DELETE": SAME,
  "features/listings/admin/api/update-listing-visibility DELETE": SAME,
  "features/reports/admin/api/act-on-subject DELETE": SAME,
  "features/bookings/api/change-answers PUT": ASKED,
  "features/angels/api/update-own-service DELETE": SAME,
  "features/listings/api/update-area DELETE": SAME,
  "features/posts/guru/api/save-working-copy PUT": AUTOSAVE,
  "features/onboarding/api/save-draft PUT": AUTOSAVE,
  "features/billing/api/change-plan POST": PAID,
  "features/billing/api/get-pricing-table-session POST": QUIET,
  "features/billing/api/open-portal POST": PAID,
  "features/payouts/api/create-instant-payout POST": OWN_WORDS,
  "lib/session/create-account POST": LOGGED,
  "lib/session/create-session POST": SESSION,
  "lib/session/delete-session DELETE": SIGN_OUT,
  "features/domains/guru/api/update-main-address PUT": CONNECTED,
  "features/reviews/api/write-review PUT": REVIEW,
  "features/reviews/api/reply-to-guru PUT": REVIEW,
  "features/reviews/guru/api/write-review PUT": REVIEW,
  "features/reviews/guru/api/reply-to-review PUT": REVIEW,
  "features/reviews/admin/api/remove-review POST": REVIEW,
  "features/images/guru/api/upload-image POST": BROWSER,
  "features/bookings/api/create-order-invoice POST": INVOICE,
  "features/money/guru/api/update-invoice-details PUT": INVOICE,
  "features/bookings/guru/disputes/disputes-api POST": DISPUTED,
  "features/bookings/guru/disputes/disputes-api PUT": AUTOSAVE,
  "features/bookings/guru/refunds/refunds-api POST": REFUNDED,
  "features/money/admin/api/send-again POST": FAILED,
  "features/money/admin/api/refund-payment POST": STAFF,
  "features/bookings/api/pay-again POST": HELD,
  "features/bookings/api/give-up-payment DELETE": HELD,
  "features/bookings/api/create-tip POST": TIPPED,
  "features/bookings/api/buy-package POST": SOLD,
  "features/bookings/api/send-link POST": SIGNED,
  "features/bookings/api/cancel-following POST": SERIES,
  "features/bookings/api/move-following POST": SERIES,
  "features/bookings/guru/api/cancel-following POST": SERIES,
  "features/bookings/guru/api/propose-following POST": SERIES,
  "features/bookings/api/change-address PUT": AT_HOME,
  "features/bookings/guru/api/book-customer POST": CUSTOMER,
  "features/bookings/guru/api/create-device-link POST": CUSTOMER,
  "features/waivers/api/sign-with-link POST": SIGNED,
  "features/bookings/guru/api/remind-participant POST": SIGNED,
  "features/messages/api/create-thread POST": OUTBOX,
  "features/messages/api/create-message POST": OUTBOX,
  "features/messages/api/upload-file POST": OUTBOX,
  "features/messages/api/update-read PUT": QUIET,
  "features/messages/api/update-thread PUT": CONVERSATION,
  "features/messages/api/update-thread DELETE": CONVERSATION,
  "features/messages/api/delete-message DELETE": CONVERSATION,
  "features/messages/api/delete-block DELETE": CONVERSATION,
  "features/messages/api/create-report POST": CONVERSATION,
  "features/onboarding/api/upload-photo PUT": BROWSER,
  "features/profiles/api/update-photo PUT": BROWSER,
  "features/bookings/passes/api/check-in PUT":
    "a failed check-in waits in a queue and is sent again: check-in-page.test.tsx",
  "features/bookings/passes/api/check-in DELETE": "an undo waits in the same queue",
};
