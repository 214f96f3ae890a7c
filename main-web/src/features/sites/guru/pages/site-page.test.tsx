import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADAS_SITE, stubResizeObserver, testLoading } from "@/testing/console-pages";
import { ADA, renderApp } from "@/testing/render-app";
import { contrastNote } from "../lib/contrast";
import type { SiteProfile } from "../lib/types";

const server = apiServer();
const { responses, calls } = server;

const PROFILE: SiteProfile = {
  revision: "7",
  character: "Ada's Engines",
  category: "technology",
  tagline: "They weave.",
  city: "Denver",
  primarySkills: ["Numbers"],
  about: "I count.",
  theme: {
    primaryColor: "#22c55e",
    secondaryColor: "#1d4ed8",
    icon: "star",
    emoji: "",
    appearance: "dusk",
    typeface: "warm",
  },
  seoTitle: "",
  seoDescription: "",
  contactEmail: "",
  aboutOmissions: [],
  presetColors: [{ primaryColor: "#22c55e", secondaryColor: "#0ea5e9" }],
};

const bodies = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);

beforeEach(() => {
  stubResizeObserver();
  responses.set("GET /api/guru", { body: { guru: ADAS_SITE } });
  responses.set("GET /api/guru/site", { body: PROFILE });
});

testLoading(server, {
  at: "/guru/site",
  route: "GET /api/guru/site",
  body: PROFILE,
  errorTitle: "We couldn't load your site",
  text: "About you",
});

async function editTagline() {
  renderApp("/guru/site", ADA);
  const tagline = await screen.findByLabelText<HTMLInputElement>(/^Tagline/);
  const user = userEvent.setup();
  await user.type(tagline, " And think.");
  return { user, tagline, save: () => user.click(screen.getByRole("button", { name: "Save changes" })) };
}

it("saves only changed fields", async () => {
  responses.set("PUT /api/guru/site", { body: { ...PROFILE, revision: "8", tagline: "They weave. And think." } });
  const { save } = await editTagline();
  await save();
  expect(await screen.findByText("Saved. Your changes are live.")).toBeTruthy();
  expect(bodies("PUT /api/guru/site")).toEqual([{ tagline: "They weave. And think.", revision: "7" }]);
});

it("saves another pair of typefaces", async () => {
  const theme = { ...PROFILE.theme, typeface: "bookish" as const };
  responses.set("PUT /api/guru/site", { body: { ...PROFILE, revision: "8", theme } });
  renderApp("/guru/site", ADA);
  const letters = within(await screen.findByRole("group", { name: "Letters" }));
  expect(letters.getByRole<HTMLInputElement>("radio", { name: /^Warm/ }).checked).toBe(true);
  const user = userEvent.setup();
  await user.click(letters.getByRole("radio", { name: /^Bookish/ }));
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  expect(await screen.findByText("Saved. Your changes are live.")).toBeTruthy();
  expect(bodies("PUT /api/guru/site")).toEqual([{ typeface: "bookish", revision: "7" }]);
});

it("saves on top of another tab's changes after a conflict", async () => {
  responses.set("PUT /api/guru/site", { status: 409, body: { code: "changed_elsewhere", message: "Changed." } });
  const { user, tagline, save } = await editTagline();
  await save();
  const saveOnTop = await screen.findByRole("button", { name: "Save my changes on top" });
  const theirs = { ...PROFILE, revision: "9", city: "Boulder" };
  responses.set("GET /api/guru/site", { body: theirs });
  responses.set("PUT /api/guru/site", { body: { ...theirs, revision: "10", tagline: "They weave. And think." } });
  await user.click(saveOnTop);
  expect(await screen.findByText("Saved. Your changes are live.")).toBeTruthy();
  expect(bodies("PUT /api/guru/site").at(-1)).toEqual({ tagline: "They weave. And think.", revision: "9" });
  expect(tagline.value).toBe("They weave. And think.");
  expect(screen.getByLabelText<HTMLInputElement>(/^City/).value).toBe("Boulder");
});

it("previews the page whose text is edited", async () => {
  renderApp("/guru/site", ADA);
  await userEvent.setup().click(await screen.findByLabelText(/^About/, { selector: "textarea" }));
  const pages = within(screen.getByRole("group", { name: "Page" })).getAllByRole("button");
  expect(pages.map((page) => [page.textContent, page.getAttribute("aria-pressed")])).toEqual([
    ["Home", "false"],
    ["About", "true"],
    ["Services", "false"],
  ]);
});

it.each([
  ["#ffffff", "dusk", /^Easy to read/],
  ["#000000", "dusk", /^A bit dark/],
  ["#000000", "day", /^Easy to read/],
  ["#ffffff", "day", /^A bit light/],
  ["#000000", "device", /^We'll use a darker shade/],
  ["red", "dusk", /^$/],
] as const)("rates %s on pages of %s as %s", (color, appearance, text) =>
  expect(contrastNote(color, appearance)).toMatch(text),
);
