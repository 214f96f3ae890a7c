import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADAS_SITE, stubResizeObserver } from "@/testing/console-pages";
import { ADA, renderApp } from "@/testing/render-app";
import type { ConsolePost } from "../lib/types";

const { responses, calls } = apiServer();

const TEXT = { title: "Engines", slug: "", tags: ["numbers"], excerpt: "", content: "They weave." };
const POST: ConsolePost = {
  id: "p1",
  slug: "engines",
  standing: "draft",
  publishedAt: null,
  savedAt: "2026-11-01T09:00:00Z",
  revision: 3,
  views: 0,
  saved: TEXT,
  workingCopy: null,
  omissions: [],
  hiddenReason: "",
};

beforeEach(() => {
  localStorage.clear();
  stubResizeObserver();
  responses.set("GET /api/guru", { body: { guru: ADAS_SITE } });
  responses.set("GET /api/guru/posts/p1", { body: POST });
});

async function edit(text: string) {
  renderApp("/guru/posts/p1", ADA);
  const content = await screen.findByLabelText<HTMLTextAreaElement>("Content");
  // One change: typing on a slow machine would save in between.
  fireEvent.change(content, { target: { value: content.value + text } });
  return { user: userEvent.setup(), content };
}

it("saves on the device at once and on the server after a pause", async () => {
  responses.set("PUT /api/guru/posts/p1/working-copy", {
    body: { revision: 4, savedAt: POST.savedAt, omissions: [] },
  });
  await edit(" And think.");
  expect(localStorage.getItem("porchlight.post.p1")).toContain("And think.");
  await screen.findByText("Saved");
  const lastUpdate = calls.findLast((call) => call.route.startsWith("PUT"));
  expect(lastUpdate?.body).toEqual({ ...TEXT, content: "They weave. And think.", revision: 3 });
  expect(localStorage.getItem("porchlight.post.p1")).toBeNull();
});

it("names what visitors see of a live post", async () => {
  const live = { ...POST, standing: "published", publishedAt: "2026-11-01T09:00:00Z" } as const;
  responses.set("GET /api/guru/posts/p1", { body: live });
  responses.set("PUT /api/guru/posts/p1/working-copy", {
    body: { revision: 4, savedAt: POST.savedAt, omissions: [] },
  });
  renderApp("/guru/posts/p1", ADA);
  const content = await screen.findByLabelText<HTMLTextAreaElement>("Content");
  expect(screen.getAllByText("Live")).toHaveLength(2); // the site and the post
  expect(screen.queryByText("Edits not published")).toBeNull();
  fireEvent.change(content, { target: { value: "They weave. Mine." } });
  expect(await screen.findByText("Edits not published")).toBeTruthy();
  expect(await screen.findByText("Saved")).toBeTruthy();
});

it("calls no post live while the site is offline", async () => {
  const live = { ...POST, standing: "published", publishedAt: "2026-11-01T09:00:00Z" } as const;
  responses.set("GET /api/guru", { body: { guru: { ...ADAS_SITE, status: "unpublished" } } });
  responses.set("GET /api/guru/posts/p1", { body: live });
  renderApp("/guru/posts/p1", ADA);
  expect(await screen.findByText("Site offline")).toBeTruthy();
  expect(screen.queryByText("Live")).toBeNull();
});

it("asks for a description of each picture and keeps it when the upload fails", async () => {
  Object.assign(URL, { createObjectURL: () => "blob:picture", revokeObjectURL: () => undefined });
  vi.stubGlobal("createImageBitmap", () => Promise.resolve({ width: 10, height: 10, close: vi.fn() }));
  Object.assign(document, { execCommand: () => false });
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  responses.set("POST /api/guru/images", { status: 503 });
  responses.set("PUT /api/guru/posts/p1/working-copy", {
    body: { revision: 4, savedAt: POST.savedAt, omissions: [] },
  });
  const { user, content } = await edit("\n");
  content.setSelectionRange(content.value.length, content.value.length);
  const pictures = ["loaf", "crumb"].map((name) =>
    // jsdom's files have no readable bytes.
    Object.assign(new File(["x"], `${name}.png`, { type: "image/png" }), {
      arrayBuffer: () => Promise.resolve(new ArrayBuffer(1)),
    }),
  );
  await user.upload(screen.getByLabelText("Image file"), pictures);
  const add = await screen.findByRole("button", { name: "Add picture" });
  await user.click(add);
  expect(await screen.findByText("Describe the picture in a few words.")).toBeTruthy();
  expect(calls.map((call) => call.route)).not.toContain("POST /api/guru/images");
  const field = screen.getByLabelText<HTMLInputElement>("Describe the picture");
  await user.type(field, "A dark loaf");
  await user.click(add);
  expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
  expect(field.value).toBe("A dark loaf");
  const path = "/images/0192f0c5-0000-7000-8000-000000000001.webp";
  responses.set("POST /api/guru/images", {
    status: 201,
    body: { id: "i1", path, address: path, width: 1, height: 1 },
  });
  await user.click(add);
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("Describe the picture").value).toBe(""));
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(content.value).toBe(`They weave.\n![A dark loaf](${path})\n`));
});

it("can keep this tab's text after a conflict", async () => {
  responses.set("PUT /api/guru/posts/p1/working-copy", {
    status: 409,
    body: { code: "changed_elsewhere", message: "Changed." },
  });
  const { user, content } = await edit(" Mine.");
  await screen.findByRole("button", { name: "Keep my version" });
  responses.set("GET /api/guru/posts/p1", { body: { ...POST, revision: 9, saved: { ...TEXT, content: "Theirs." } } });
  responses.set("PUT /api/guru/posts/p1/working-copy", {
    body: { revision: 10, savedAt: POST.savedAt, omissions: [] },
  });
  await user.click(screen.getByRole("button", { name: "Keep my version" }));
  await screen.findByText("Saved");
  expect(content.value).toBe("They weave. Mine.");
  const lastUpdate = calls.findLast((call) => call.route.startsWith("PUT"));
  expect(lastUpdate?.body).toMatchObject({ content: "They weave. Mine.", revision: 9 });
});

it("can take the other text after a conflict, and shows this one", async () => {
  responses.set("PUT /api/guru/posts/p1/working-copy", {
    status: 409,
    body: { code: "changed_elsewhere", message: "Changed." },
  });
  const { user, content } = await edit(" Mine.");
  responses.set("GET /api/guru/posts/p1", { body: { ...POST, revision: 9, saved: { ...TEXT, content: "Theirs." } } });
  await user.click(await screen.findByRole("button", { name: "Use the other version" }));
  await waitFor(() => expect(content.value).toBe("Theirs."));
  expect(screen.getByLabelText<HTMLTextAreaElement>("Your version").value).toBe("They weave. Mine.");
});

it("restores text typed before a crash", async () => {
  localStorage.setItem("porchlight.post.p1", JSON.stringify({ ...TEXT, content: "Half a thought" }));
  responses.set("PUT /api/guru/posts/p1/working-copy", {
    body: { revision: 4, savedAt: POST.savedAt, omissions: [] },
  });
  renderApp("/guru/posts/p1", ADA);
  expect((await screen.findByLabelText<HTMLTextAreaElement>("Content")).value).toBe("Half a thought");
  expect(screen.getByText(/We restored unsaved changes from this device/)).toBeTruthy();
});

it("shows a server error at its field", async () => {
  responses.set("PUT /api/guru/posts/p1", {
    status: 409,
    body: {
      code: "slug_taken",
      message: "Taken.",
      fields: { slug: "Another post already uses this address. Please choose a different one." },
    },
  });
  renderApp("/guru/posts/p1", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Publish…" }));
  await user.click(await screen.findByRole("button", { name: "Publish now" }));
  expect(
    await screen.findByText("Another post already uses this address. Please choose a different one."),
  ).toBeTruthy();
});
