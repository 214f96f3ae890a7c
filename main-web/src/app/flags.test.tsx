import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { FlagName } from "@/lib/feature-flags";
import type { MyGuru } from "@/features/console/lib/types";
import { READY } from "@/features/onboarding/onboarding-fixtures";
import type { Site } from "@/features/onboarding/lib/types";
import { SHARED_KEY } from "@/testing/admin/staff";

/**
 * What each flag shows and hides on the main platform, with both values. `tests/porchlight/flags/surfaces.py` names
 * these cases by flag and surface.
 */
type Case = {
  surface: string;
  flag: FlagName;
  /** The page, and whose texts and links decide. */
  at: string;
  on?: string | RegExp;
  off?: string | RegExp;
  /** The name of a link that exists only while the flag is on. */
  link?: string | RegExp;
  /** Text by which the page is known to have loaded with either value. */
  settled?: string | RegExp;
};

const OFF = /will be available in a future release/;

const CASES: Case[] = [
  { surface: "booking menu", flag: "booking", at: "/about", link: "Sessions" },
  { surface: "booking links", flag: "booking", at: "/waivers", link: "Your sessions", settled: "Waivers" },
  { surface: "booking pages", flag: "booking", at: "/sessions", off: "Sessions Coming Soon" },
  { surface: "booking console menu", flag: "booking", at: "/guru/domains", link: "Calendar", settled: "Domains" },
  { surface: "booking console", flag: "booking", at: "/guru/calendar", off: "Sessions are turned off right now" },
  { surface: "booking console hours", flag: "booking", at: "/guru/hours", off: "Sessions are turned off right now" },
  { surface: "booking console service", flag: "booking", at: "/guru/services/1/booking", off: /turned off right now/ },
  { surface: "booking admin", flag: "booking", at: "/admin?tab=sessions", off: OFF },
  { surface: "messaging menu", flag: "messaging", at: "/about", link: "Messages" },
  { surface: "messaging links", flag: "messaging", at: "/u/bo", link: "Message Bo", settled: "Bo Rivers" },
  { surface: "messaging pages", flag: "messaging", at: "/messages", off: "Messages Coming Soon" },
  { surface: "messaging console menu", flag: "messaging", at: "/guru/domains", link: "Messages", settled: "Domains" },
  { surface: "messaging console", flag: "messaging", at: "/guru/messages", off: "Messages are turned off right now" },
  { surface: "reviews console menu", flag: "reviews", at: "/guru/domains", link: "Reviews", settled: "Domains" },
  { surface: "reviews console", flag: "reviews", at: "/guru/reviews", off: "Reviews are turned off right now" },
  { surface: "reviews admin", flag: "reviews", at: "/admin/reviews", off: OFF },
  { surface: "userProfiles pages", flag: "userProfiles", at: "/profile", off: "Profile Management Coming Soon" },
  { surface: "userProfiles admin", flag: "userProfiles", at: "/admin?tab=users", off: OFF },
  { surface: "skillListing menu", flag: "skillListing", at: "/about", link: "Search" },
  {
    surface: "skillListing links",
    flag: "skillListing",
    at: "/skills",
    link: "My skills and listings",
    settled: "SkillShare",
  },
  { surface: "skillListing search", flag: "skillListing", at: "/search", off: "Search is turned off right now" },
  { surface: "skillListing pages", flag: "skillListing", at: "/skills/mine", off: "Listings are turned off right now" },
  { surface: "skillListing admin", flag: "skillListing", at: "/admin?tab=listings", off: OFF },
  { surface: "systemReports admin", flag: "systemReports", at: "/admin?tab=reports", off: OFF },
  // SPEC's sentence about the badge is untrue while badges are off.
  { surface: "certifications review", flag: "certifications", at: "/onboarding/review", on: "Listed, verified" },
  { surface: "systemReports links", flag: "systemReports", at: "/u/bo", on: /^Report/, settled: "Bo Rivers" },
];

const SITE: MyGuru = {
  label: "ada",
  status: "active",
  address: "http://ada.porchlight.test",
  newLeads: 0,
  suspension: null,
};
const BO = {
  handle: "bo",
  displayName: "Bo Rivers",
  photoURL: null,
  bio: "",
  location: "",
  languages: [],
  availability: "",
  memberSince: "2026-01-01T00:00:00Z",
  skills: { offered: [], wanted: [] },
};

const PUBLISHED: Site = {
  subdomain: "ada",
  url: "http://ada.porchlight.test/",
  status: "active",
  publishedAt: null,
  changed: false,
  categories: [
    { slug: "woodworking", name: "Woodworking", listed: true, verified: true, overLimit: false, needsDocuments: true },
  ],
};

const { responses } = apiServer();

function show({ flag, at }: Case, isOn: boolean) {
  responses.set("GET /api/config", { body: { firebase: null, stripe: null, flags: { [flag]: isOn } } });
  responses.set("GET /api/admin/ping", { body: SHARED_KEY });
  responses.set("GET /api/guru", { body: { guru: SITE } });
  responses.set("GET /api/users/bo", { body: BO });
  responses.set("GET /api/onboarding/status", { body: { ...READY, site: PUBLISHED } });
  return renderApp(at, ADA);
}

describe.each(CASES)("$surface", (row) => {
  it.each([true, false])("%s", { timeout: 30_000 }, async (isOn) => {
    const { queries } = show(row, isOn);
    await screen.findAllByRole("heading", { level: 1, ...(row.settled && { name: row.settled }) }, { timeout: 20_000 });
    await expect.poll(() => queries.getQueryData(["config"]) !== undefined).toBe(true);
    if (row.link) {
      const links = () => screen.queryAllByRole("link", { name: row.link ?? "", hidden: true }).length > 0;
      await expect.poll(links).toBe(isOn);
    }
    if (row.on) await expect.poll(() => screen.queryAllByText(row.on ?? "").length > 0).toBe(isOn);
    if (row.off) await expect.poll(() => screen.queryAllByText(row.off ?? "").length > 0).toBe(!isOn);
  });
});

it.each([true, false])("the account menu lists sessions only while they can be booked: %s", async (isOn) => {
  show({ surface: "booking account menu", flag: "booking", at: "/about" }, isOn);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: /^Account menu/ }));
  const menu = within(await screen.findByRole("menu"));
  expect(menu.getByRole("menuitem", { name: "Plan" })).toBeTruthy();
  expect(menu.queryByRole("menuitem", { name: "Sessions" }) !== null).toBe(isOn);
});
