import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { apiServer } from "../../testing/api-server";
import { ADA, renderApp } from "../../testing/render-app";
import type { Listing, ListingPhoto } from "./get-listing";

const { answers, calls } = apiServer();

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
  risk: { rating: "low", requiresWaiver: false, reasons: ["Nothing here points to more than everyday risk."], known: true },
};
const mine = (photos = BREAD.photos) => ({ offers: [{ ...BREAD, photos }], wants: [], city: "Denver", byArea: false });
const PATH = "/api/skills/offers/o1/photos";
const BYTES = new Uint8Array(2000).fill(120);
// jsdom's files cannot be read as bytes.
const PICTURE = Object.assign(new File([BYTES], "oven.jpg", { type: "image/jpeg" }), {
  arrayBuffer: () => Promise.resolve(BYTES.buffer),
});

beforeAll(() => import("./my-skills-page"), 60_000);
beforeEach(() => answers.set("GET /api/skills/mine", { body: mine() }));

async function editor() {
  const user = userEvent.setup();
  renderApp("/skills/mine", ADA);
  await user.click(await screen.findByRole("button", { name: "Edit Sourdough bread" }));
  return { user, photos: within(screen.getByRole("group", { name: "Photos of Sourdough bread" })) };
}

it("adds a photo, and says which were refused", async () => {
  answers.set(`POST ${PATH}`, { status: 201, body: mine([...BREAD.photos, photo("p3")]) });
  const { user, photos } = await editor();
  const note = new File(["x"], "note.pdf", { type: "application/pdf" });
  // The browser's own dialog would not offer the note; who drops it there all the same is told.
  await userEvent.setup({ applyAccept: false }).upload(photos.getByLabelText("Photo files for Sourdough bread"), [note, PICTURE]);
  expect(await photos.findByText(/^note\.pdf: Please choose/)).toBeTruthy();
  expect(await photos.findAllByRole("listitem")).toHaveLength(3);
  expect(calls.filter(({ route }) => route.startsWith("POST")).map(({ headers }) => headers["content-type"])).toEqual(["image/jpeg"]);
  answers.set(`POST ${PATH}`, { status: 422, body: { code: "invalid", message: "Please check the fields.", fields: { photo: "This is no picture." } } });
  await user.upload(photos.getByLabelText("Photo files for Sourdough bread"), PICTURE);
  expect(await photos.findByText("oven.jpg: This is no picture.")).toBeTruthy();
});

it("puts photos in order, and keeps what was typed when that fails", async () => {
  answers.set(`PUT ${PATH}`, { body: mine([photo("p2"), photo("p1", "A loaf")]) });
  const { user, photos } = await editor();
  await user.click(photos.getByRole("button", { name: "Move photo 1 down" }));
  await waitFor(() => expect(calls.at(-1)).toMatchObject({ route: `PUT ${PATH}`, body: { photos: [{ id: "p2" }, { id: "p1", alt: "A loaf" }] } }));
  const words = await waitFor(() => {
    const field = photos.getByLabelText<HTMLInputElement>(/^What photo 2 shows/);
    expect(field.value).toBe("A loaf");
    return field;
  });
  answers.set(`PUT ${PATH}`, { status: 409, body: { code: "photos_changed", message: "These photos changed meanwhile." } });
  await user.type(words, " of rye");
  await user.tab();
  expect(await photos.findByText("These photos changed meanwhile.")).toBeTruthy();
  expect(words.value).toBe("A loaf of rye");
});

it("says while one writes how risky it looks, and why", async () => {
  const reason = "“chainsaw”: power tools and blades that cut faster than anyone can react (high risk).";
  answers.set("POST /api/skills/listing-risks", {
    body: { rating: "high", requiresWaiver: true, reasons: [reason], known: true },
  });
  const { user } = await editor();
  const risk = within(screen.getByRole("status", { name: "Risk" }));
  expect(risk.getByText("Low Risk")).toBeTruthy();
  expect(calls.some(({ route }) => route.endsWith("listing-risks"))).toBe(false);
  await user.type(screen.getByLabelText(/^About it/), "With a chainsaw");
  expect(await risk.findByText("High Risk")).toBeTruthy();
  expect(risk.getByText("Waiver Required")).toBeTruthy();
  expect(risk.getByText(reason)).toBeTruthy();
  expect(calls.at(-1)?.body).toEqual({ title: "Sourdough bread", details: "With a chainsaw" });
  await user.clear(screen.getByLabelText(/^About it/));
  expect(await risk.findByText("Low Risk")).toBeTruthy();
});
