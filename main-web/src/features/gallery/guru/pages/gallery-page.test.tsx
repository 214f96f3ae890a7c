import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { ADAS_SITE, testLoading } from "@/testing/console-pages";
import { ADA, renderApp } from "@/testing/render-app";
import type { Gallery, StoredPicture } from "../lib/types";

const server = apiServer();
const { responses, calls } = server;

const picture = (imageId: string, alt: string, where: Partial<StoredPicture> = {}): StoredPicture => ({
  place: "gallery",
  serviceId: null,
  imageId,
  address: `http://ada.porchlight.test/images/${imageId}.webp`,
  thumbnail: `http://ada.porchlight.test/images/${imageId}-640.webp`,
  width: 1200,
  height: 800,
  preview: "",
  alt,
  focusX: 50,
  focusY: 50,
  ...where,
});

const GALLERY: Gallery = {
  pictures: [picture("loom", "A loom"), picture("cards", "Punched cards")],
  services: [{ id: "s1", name: "Weaving lesson" }],
  limits: { hero: 1, gallery: 3, service: 2, all: 20 },
  revision: "one",
};

const UPLOADED = {
  ...picture("wheel", ""),
  id: "wheel",
  path: "/images/wheel.webp",
  size: 9,
  createdAt: "2026-11-01T09:00:00Z",
};

const saves = () => calls.filter(({ route }) => route === "PUT /api/guru/gallery").map(({ body }) => body as Gallery);
const uploads = () => calls.filter(({ route }) => route === "POST /api/guru/images").length;
const list = (name: string) => within(screen.getByRole("list", { name }));
const descriptions = (name: string) =>
  list(name)
    .getAllByRole<HTMLTextAreaElement>("textbox")
    .map(({ value }) => value);

/** jsdom's files have no readable bytes. */
const file = (name: string, type = "image/png") =>
  Object.assign(new File(["x"], name, { type }), { arrayBuffer: () => Promise.resolve(new ArrayBuffer(1)) });

beforeEach(() => {
  Object.assign(URL, { createObjectURL: () => "blob:picture", revokeObjectURL: () => undefined });
  responses.set("GET /api/guru", { body: { guru: ADAS_SITE } });
  responses.set("GET /api/guru/gallery", { body: GALLERY });
});

testLoading(server, {
  at: "/guru/gallery",
  route: "GET /api/guru/gallery",
  body: GALLERY,
  errorTitle: "We couldn't load your pictures",
  text: "Top of your home page",
});

async function open(at = "/guru/gallery") {
  renderApp(at, ADA);
  await screen.findByRole("heading", { name: "Gallery" });
  const user = userEvent.setup();
  return { user, save: () => user.click(screen.getByRole("button", { name: "Save pictures" })) };
}

it("saves the pictures in their new order, with the revision", async () => {
  const { user, save } = await open();
  await user.click(list("Gallery").getByRole("button", { name: "Move picture 1 later" }));
  expect(descriptions("Gallery")).toEqual(["Punched cards", "A loom"]);
  expect(screen.getByText("A loom is now 2 of 2.")).toBeTruthy();
  const [loom, cards] = GALLERY.pictures;
  responses.set("PUT /api/guru/gallery", { body: { ...GALLERY, pictures: [cards, loom], revision: "two" } });
  await save();
  expect(await screen.findByRole("link", { name: /^See your site/ })).toBeTruthy();
  expect(saves()[0]?.revision).toBe("one");
  expect(saves()[0]?.pictures.map(({ imageId }) => imageId)).toEqual(["cards", "loom"]);
});

it("is as saved once a picture is back in its place", async () => {
  const { user } = await open();
  const saveButton = screen.getByRole<HTMLButtonElement>("button", { name: "Save pictures" });
  await user.click(list("Gallery").getByRole("button", { name: "Move picture 1 later" }));
  expect(saveButton.disabled).toBe(false);
  await user.click(list("Gallery").getByRole("button", { name: "Move picture 2 earlier" }));
  expect(saveButton.disabled).toBe(true);
});

it("keeps a failed upload and sends it again", async () => {
  responses.set("POST /api/guru/images", { status: 503 });
  const { user } = await open();
  await user.upload(screen.getByLabelText("Files: Gallery"), file("wheel.png"));
  const tile = within(await list("Gallery").findByRole("listitem", { name: "wheel.png" }));
  expect(await tile.findByText(/Server error/)).toBeTruthy();
  responses.set("POST /api/guru/images", { status: 201, body: UPLOADED });
  await user.click(tile.getByRole("button", { name: /^Try again\b.*wheel.png$/ }));
  await waitFor(() => expect(descriptions("Gallery")).toEqual(["A loom", "Punched cards", ""]));
  expect(uploads()).toBe(2);
});

it("sends files one after the other, and says why others aren't sent", async () => {
  const { responder, release } = heldResponse(UPLOADED);
  responses.set("POST /api/guru/images", responder);
  await open();
  const files = [file("notes.pdf", "application/pdf"), file("one.png"), file("two.png")];
  fireEvent.drop(screen.getByLabelText("Files: Gallery"), { dataTransfer: { files, types: ["Files"] } });
  const tiles = list("Gallery");
  expect(within(tiles.getByRole("listitem", { name: "notes.pdf" })).getByText(/Please choose a JPEG/)).toBeTruthy();
  expect(within(tiles.getByRole("listitem", { name: "two.png" })).getByText(/up to 3 pictures/)).toBeTruthy();
  expect(await tiles.findByText("Uploading one.png")).toBeTruthy();
  release();
  await waitFor(() => expect(descriptions("Gallery")).toHaveLength(3));
  expect(uploads()).toBe(1);
});

it("saves no picture without a description", async () => {
  const { user, save } = await open();
  const first = list("Gallery").getByLabelText("Description of picture 1");
  await user.clear(first);
  await save();
  expect(await screen.findByText("Describe the picture in a few words.")).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(first));
  expect(saves()).toEqual([]);
});

it("moves the focus with the arrow keys and a press", async () => {
  const { user, save } = await open();
  await user.click(screen.getByRole("button", { name: "Adjust picture 1" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Adjust picture 1" }));
  const axis = dialog.getByRole("slider", { name: "From the left" });
  axis.focus();
  await user.keyboard("{ArrowLeft}{ArrowLeft}{ArrowDown}");
  expect(dialog.getByText("40% from the left, 55% from the top")).toBeTruthy();
  expect(axis.getAttribute("aria-valuetext")).toBe("40% from the left");
  await user.click(dialog.getByRole("button", { name: "Done" }));
  responses.set("PUT /api/guru/gallery", { body: GALLERY });
  await save();
  await waitFor(() => expect(saves()[0]?.pictures[0]).toMatchObject({ imageId: "loom", focusX: 40, focusY: 55 }));
});

it("moves a picture to another place, and removes one with an undo", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "Adjust picture 2" }));
  await user.selectOptions(await screen.findByLabelText("Show it in"), "Pictures of Weaving lesson");
  await user.click(screen.getByRole("button", { name: "Done" }));
  expect(descriptions("Pictures of Weaving lesson")).toEqual(["Punched cards"]);
  await user.click(list("Gallery").getByRole("button", { name: "Remove picture 1" }));
  expect(screen.queryByRole("list", { name: "Gallery" })).toBeNull();
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(descriptions("Gallery")).toEqual(["A loom"]);
});

it("keeps the changes when the pictures were changed elsewhere", async () => {
  const { user, save } = await open();
  const first = list("Gallery").getByLabelText("Description of picture 1");
  await user.type(first, " of ash");
  const theirs = { ...GALLERY, pictures: [picture("mill", "A mill")], revision: "two" };
  responses.set("GET /api/guru/gallery", { body: theirs });
  responses.set("PUT /api/guru/gallery", { status: 409, body: { code: "changed_elsewhere", message: "Changed." } });
  await save();
  await user.click(await screen.findByRole("button", { name: "Use the other version" }));
  expect(descriptions("Gallery")).toEqual(["A mill"]);
});

it("can save over what was changed elsewhere", async () => {
  const { user, save } = await open();
  const first = list("Gallery").getByLabelText("Description of picture 1");
  await user.type(first, " of ash");
  responses.set("GET /api/guru/gallery", { body: { ...GALLERY, pictures: [], revision: "two" } });
  responses.set("PUT /api/guru/gallery", { status: 409, body: { code: "changed_elsewhere", message: "Changed." } });
  await save();
  const mine = await screen.findByRole("button", { name: "Save my version" });
  expect(descriptions("Gallery")).toEqual(["A loom of ash", "Punched cards"]);
  responses.set("PUT /api/guru/gallery", { body: { ...GALLERY, revision: "three" } });
  await user.click(mine);
  expect(await screen.findByRole("link", { name: /^See your site/ })).toBeTruthy();
  expect(saves().at(-1)).toMatchObject({ revision: "two", pictures: [{ alt: "A loom of ash" }, { imageId: "cards" }] });
});

it("names the picture that the server refuses", async () => {
  const { user, save } = await open();
  await user.click(list("Gallery").getByRole("button", { name: "Move picture 1 later" }));
  const fields = { pictures: "One of these pictures was deleted.", "pictures.1": "This picture was deleted." };
  responses.set("PUT /api/guru/gallery", {
    status: 422,
    body: { code: "validation_error", message: "Check.", fields },
  });
  await save();
  expect(await screen.findByText("One of these pictures was deleted.")).toBeTruthy();
  const refused = within(list("Gallery").getByRole("listitem", { name: "A loom" }));
  expect(refused.getByText("This picture was deleted.")).toBeTruthy();
});

it("adds pictures that were uploaded before", async () => {
  responses.set("GET /api/guru/images", { body: { images: [UPLOADED], nextCursor: null } });
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: /^Choose from your uploads.*Gallery/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "Your uploaded pictures" }));
  await user.click(await dialog.findByRole("button", { name: /^Picture 1/ }));
  await user.click(dialog.getByRole("button", { name: "Add 1 picture" }));
  await waitFor(() => expect(descriptions("Gallery")).toEqual(["A loom", "Punched cards", ""]));
});

it("shows the empty state, whose button asks for files", async () => {
  responses.set("GET /api/guru/gallery", { body: { ...GALLERY, pictures: [] } });
  const { user } = await open();
  const click = vi.spyOn(screen.getByLabelText("Files: Gallery"), "click");
  expect(screen.getByText("Show neighbors what to expect")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Choose photos" }));
  expect(click).toHaveBeenCalledOnce();
});

it("opens the service that the address names", async () => {
  await open("/guru/gallery#service-s1");
  const heading = screen.getByRole("heading", { name: "Pictures of Weaving lesson" });
  expect(heading.closest("details")?.open).toBe(true);
  expect(document.activeElement).toBe(heading.closest("summary"));
});
