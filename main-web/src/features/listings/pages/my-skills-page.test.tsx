import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Listing, ListingPhoto } from "../api/get-listing";

const { responses, calls } = apiServer();

const photo = (id: string, alt = ""): ListingPhoto => ({
  id,
  path: `/api/skills/photos/${id}.webp`,
  smallPath: `/api/skills/photos/${id}-small.webp`,
  alt,
  width: 1600,
  height: 1200,
});
const BREAD: Listing = {
  id: "o1",
  title: "Sourdough bread",
  level: null,
  details: "",
  formats: ["in_person"],
  terms: ["swap"],
  priceCents: null,
  currency: "USD",
  radiusKm: 16,
  days: ["sat"],
  photos: [photo("p1", "A loaf"), photo("p2")],
  risk: { rating: "low", requiresWaiver: false, reasons: ["We don't see any special risks."], known: true },
  overLimit: false,
};
const mySkills = (photos = BREAD.photos) => ({
  offers: [{ ...BREAD, photos }],
  wants: [],
  city: "Denver",
  byArea: false,
  exchangeOffers: { used: 1, limit: 3 },
  pricedOffers: { used: 0, limit: 0 },
  workPhotos: { used: photos.length, limit: 10 },
});
const PATH = "/api/skills/offers/o1/photos";
const BYTES = new Uint8Array(2000).fill(120);
// jsdom's files have no readable bytes.
const PICTURE = Object.assign(new File([BYTES], "oven.jpg", { type: "image/jpeg" }), {
  arrayBuffer: () => Promise.resolve(BYTES.buffer),
});

beforeAll(() => import("./my-skills-page"), 60_000);
beforeEach(() => responses.set("GET /api/skills/mine", { body: mySkills() }));

async function editor() {
  const user = userEvent.setup();
  renderApp("/skills/mine", ADA);
  await user.click(await screen.findByRole("button", { name: "Edit Sourdough bread" }));
  return { user, photos: within(screen.getByRole("group", { name: "Photos of Sourdough bread" })) };
}

it("adds a photo and lists rejected ones", async () => {
  responses.set(`POST ${PATH}`, { status: 201, body: mySkills([...BREAD.photos, photo("p3")]) });
  const { user, photos } = await editor();
  const note = new File(["x"], "note.pdf", { type: "application/pdf" });
  // The browser's dialog filters files by type, but dropped files are not filtered.
  await userEvent
    .setup({ applyAccept: false })
    .upload(photos.getByLabelText("Photo files for Sourdough bread"), [note, PICTURE]);
  expect(await photos.findByText(/^note\.pdf: Please choose/)).toBeTruthy();
  expect(await photos.findAllByRole("listitem")).toHaveLength(3);
  expect(calls.filter(({ route }) => route.startsWith("POST")).map(({ headers }) => headers["content-type"])).toEqual([
    "image/jpeg",
  ]);
  responses.set(`POST ${PATH}`, {
    status: 422,
    body: { code: "invalid", message: "Please check the fields.", fields: { photo: "This is no picture." } },
  });
  await user.upload(photos.getByLabelText("Photo files for Sourdough bread"), PICTURE);
  expect(await photos.findByText("oven.jpg: This is no picture.")).toBeTruthy();
  expect(photos.queryByRole("button", { name: "Try again" })).toBeNull();
});

it("keeps a photo that the server could not take, and sends it again", async () => {
  responses.set(`POST ${PATH}`, { status: 503 });
  const { user, photos } = await editor();
  await user.upload(photos.getByLabelText("Photo files for Sourdough bread"), PICTURE);
  expect(await photos.findByText("oven.jpg: Server error. Please try again later.")).toBeTruthy();
  responses.set(`POST ${PATH}`, { status: 201, body: mySkills([...BREAD.photos, photo("p3")]) });
  await user.click(photos.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(photos.getAllByRole("listitem")).toHaveLength(3));
  expect(photos.queryByRole("button", { name: "Try again" })).toBeNull();
  expect(photos.queryByRole("alert")).toBeNull();
});

it("reorders photos, and keeps the input on errors", async () => {
  responses.set(`PUT ${PATH}`, { body: mySkills([photo("p2"), photo("p1", "A loaf")]) });
  const { user, photos } = await editor();
  await user.click(photos.getByRole("button", { name: "Move photo 1 down" }));
  await waitFor(() =>
    expect(calls.findLast(({ route }) => route === `PUT ${PATH}`)).toMatchObject({
      body: { photos: [{ id: "p2" }, { id: "p1", alt: "A loaf" }] },
    }),
  );
  const altField = await waitFor(() => {
    const field = photos.getByLabelText<HTMLInputElement>(/^Description of photo 2/);
    expect(field.value).toBe("A loaf");
    return field;
  });
  responses.set(`PUT ${PATH}`, {
    status: 409,
    body: { code: "photos_changed", message: "These photos have changed." },
  });
  await user.type(altField, " of rye");
  await user.tab();
  expect(await photos.findByText("These photos have changed.")).toBeTruthy();
  expect(altField.value).toBe("A loaf of rye");
});

it("previews the risk while typing", async () => {
  const reason = "“chainsaw”: power tools and blades that cut faster than anyone can react (high risk).";
  responses.set("POST /api/skills/listing-risks", {
    body: { rating: "high", requiresWaiver: true, reasons: [reason], known: true },
  });
  const { user } = await editor();
  const risk = within(screen.getByRole("status", { name: "Risk" }));
  expect(risk.getByText("Low Risk")).toBeTruthy();
  expect(calls.some(({ route }) => route.endsWith("listing-risks"))).toBe(false);
  await user.type(screen.getByLabelText(/^About this skill/), "With a chainsaw");
  expect(await risk.findByText("High Risk")).toBeTruthy();
  expect(risk.getByText("Waiver Required")).toBeTruthy();
  expect(risk.getByText(reason)).toBeTruthy();
  expect(calls.findLast(({ route }) => route.endsWith("listing-risks"))?.body).toEqual({
    title: "Sourdough bread",
    details: "With a chainsaw",
  });
  await user.clear(screen.getByLabelText(/^About this skill/));
  expect(await risk.findByText("Low Risk")).toBeTruthy();
});
