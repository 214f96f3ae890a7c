import { choose, fill, named, press } from "../find";
import type { Write } from "../write";

/** The writes of visitor. */
export const visitorWrites: readonly Write[] = [
  {
    source: "features/contact/api/send-contact-message",
    method: "POST",
    route: "/contact",
    viewer: "visitor",
    address: "/contact",
    button: named("Send message"),
    steps: [
      fill("Your name", "Nora Newcomer"),
      fill("Email", "nora@example.com"),
      fill("Subject", "A question"),
      fill("Message", "How do I find a teacher near me?"),
    ],
  },
  {
    source: "features/reports/api/create-report",
    method: "POST",
    route: "/reports",
    viewer: "neighbor",
    address: "/u/theo-barnes",
    button: named("Send report"),
    steps: [
      press("Report this"),
      choose("What's wrong?", "other"),
      fill(/^Anything else/, "Not who they say they are."),
    ],
  },
  {
    source: "features/leads/api/update-lead-address",
    method: "PUT",
    route: "/lead-addresses/*",
    viewer: "visitor",
    address: "/mail/{/mail/:token}",
    button: named("This wasn't me"),
  },
  {
    source: "features/email-settings/api/update-email-setting",
    method: "PUT",
    route: "/email-settings/*",
    viewer: "visitor",
    address: "/email-settings/{/email-settings/:token}",
    button: named("Search alerts", { role: "switch" }),
  },
  {
    source: "features/admin/session/api/log-in",
    method: "POST",
    route: "/admin/login",
    viewer: "visitor",
    address: "/admin/login",
    button: named(/^Log/, { inside: "main" }),
    steps: [fill("Admin key", "not the key, but long enough")],
    onServerError: "Login failed. Please try again.",
    onNetworkError: "Login failed. Please try again.",
  },
  {
    source: "lib/session/sign-in-code",
    method: "POST",
    route: "/auth/codes",
    viewer: "visitor",
    address: "/login",
    button: named("Email me a code"),
    steps: [press("Email me a code instead"), fill("Email", "nora@example.com")],
  },
];
