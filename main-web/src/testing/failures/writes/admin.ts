import { fill, named, press } from "../find";
import type { Write } from "../write";

/** The writes of admin. */
export const adminWrites: readonly Write[] = [
  {
    source: "features/admin/api/update-suspension",
    method: "POST",
    route: "/admin/sites/*/suspension",
    viewer: "staff",
    address: "/admin/sites?search=spanish",
    button: named("Suspend this site"),
    steps: [press(/^spanish$/), press("Suspend…", { inside: "[role=dialog]" }), fill("Reason", "Asks for deposits")],
  },
  {
    source: "features/admin/impersonation/api/start-impersonation",
    method: "POST",
    route: "/admin/sites/*/impersonation",
    viewer: "staff",
    address: "/admin/sites?search=spanish",
    button: named("Open the console"),
    steps: [
      press(/^spanish$/),
      press("View as this guru…", { inside: "[role=dialog]" }),
      fill("Reason", "They asked how leads look"),
    ],
  },
  {
    source: "features/sites/admin/api/export-site",
    method: "POST",
    route: "/admin/sites/*/export",
    viewer: "staff",
    address: "/admin/sites?search=spanish",
    button: named("Export", { inside: "[role=dialog]" }),
    steps: [press(/^spanish$/)],
  },
  {
    source: "features/listings/admin/api/update-listing-visibility",
    method: "POST",
    route: "/admin/listings/*/hiding",
    viewer: "staff",
    address: "/admin?tab=listings&search=silversmithing",
    button: named("Hide this listing"),
    steps: [
      press("Silversmithing"),
      press("Hide…", { inside: "[role=dialog]" }),
      fill("Reason", "Sells something else"),
    ],
  },
  {
    source: "features/bookings/admin/api/cancel-session",
    method: "POST",
    route: "/admin/sessions/*/cancellation",
    viewer: "staff",
    address: "/admin?tab=sessions&search=machine+safety",
    button: named(/^Cancel (for both|this session|session)$/, { inside: "[role=dialog]" }),
    steps: [
      press(/^Machine Safety Morning/),
      press("Cancel for both…", { inside: "[role=dialog]" }),
      fill("Reason", "The workshop is closed"),
    ],
  },
  {
    source: "features/money/admin/api/create-adjustment",
    method: "POST",
    route: "/admin/money/adjustments",
    viewer: "staff",
    address: "/admin/money?tab=adjustments",
    button: named("Request adjustment", { inside: "[role=dialog]" }),
    steps: [
      press("Request an adjustment"),
      fill("Their email address", "rosa.delgado@example.com"),
      fill("Amount ($)", "12.50"),
      fill("Reason", "A flood in the kitchen"),
    ],
  },
  {
    source: "features/admin/session/api/log-out",
    method: "POST",
    route: "/admin/logout",
    viewer: "staff",
    address: "/admin",
    button: named("Logout"),
  },
];
