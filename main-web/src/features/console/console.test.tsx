import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { contrastNote } from "./site/lib/contrast";
import { parsePrice } from "./services/components/service-dialog";
import type { ConsoleLead, ConsolePost, MyGuru } from "./lib/types";
import { leadDetailNames, mapLeadDetails } from "@porchlight/shared/lead-details";

const { responses, calls } = apiServer();

const SITE: MyGuru = { label: "ada", status: "active", address: "http://ada.porchlight.test", newLeads: 2 };
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
};

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {
        return;
      }
      disconnect() {
        return;
      }
    },
  );
  responses.set("GET /api/guru", { body: { guru: SITE } });
  responses.set("GET /api/guru/posts/p1", { body: POST });
});

async function edit(text: string) {
  renderApp("/guru/posts/p1", ADA);
  const content = await screen.findByLabelText<HTMLTextAreaElement>("Content");
  // One change: typing on a slow machine would save in between.
  fireEvent.change(content, { target: { value: content.value + text } });
  return { user: userEvent.setup(), content };
}

describe("the console", () => {
  it("shows every detail of a lead", async () => {
    const details = mapLeadDetails((name) => `typed ${name}`);
    const lead: ConsoleLead = {
      ...details,
      id: "l1",
      name: "Nora",
      email: "nora@mail.example",
      service: "",
      message: "Bread?",
      status: "read",
      createdAt: "2026-11-01T09:00:00Z",
      page: "/contact",
      answers: [],
      notes: [],
    };
    responses.set("GET /api/guru/leads/l1", { body: lead });
    renderApp("/guru/leads/l1", ADA);
    const message = await screen.findByRole("region", { name: "Message" });
    for (const name of leadDetailNames) expect(message.textContent).toContain(details[name]);
  });

  it("invites users without a site", async () => {
    responses.set("GET /api/guru", { body: { guru: null } });
    renderApp("/guru/leads", ADA);
    const link = await screen.findByRole("link", { name: "Become a Guru" });
    expect(link.getAttribute("href")).toBe("/onboarding");
  });

  it("shows that the site was suspended", async () => {
    responses.set("GET /api/guru", { body: { guru: { ...SITE, status: "suspended" } } });
    renderApp("/guru/posts/p1", ADA);
    expect((await screen.findByRole("alert")).textContent).toContain("suspended your site");
  });
});

describe("the editor", () => {
  it("saves on the device at once and on the server after a pause", async () => {
    responses.set("PUT /api/guru/posts/p1/working-copy", { body: { revision: 4, savedAt: POST.savedAt } });
    await edit(" And think.");
    expect(localStorage.getItem("porchlight.post.p1")).toContain("And think.");
    await screen.findByText("All changes saved");
    const lastUpdate = calls.findLast((call) => call.route.startsWith("PUT"));
    expect(lastUpdate?.body).toEqual({ ...TEXT, content: "They weave. And think.", revision: 3 });
    expect(localStorage.getItem("porchlight.post.p1")).toBeNull();
  });

  it("can keep this tab's text after a conflict", async () => {
    responses.set("PUT /api/guru/posts/p1/working-copy", {
      status: 409,
      body: { code: "changed_elsewhere", message: "Changed." },
    });
    const { user, content } = await edit(" Mine.");
    await screen.findByRole("button", { name: "Keep my version" });
    responses.set("GET /api/guru/posts/p1", { body: { ...POST, revision: 9, saved: { ...TEXT, content: "Theirs." } } });
    responses.set("PUT /api/guru/posts/p1/working-copy", { body: { revision: 10, savedAt: POST.savedAt } });
    await user.click(screen.getByRole("button", { name: "Keep my version" }));
    await screen.findByText("All changes saved");
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
    responses.set("PUT /api/guru/posts/p1/working-copy", { body: { revision: 4, savedAt: POST.savedAt } });
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
});

describe("labels and amounts", () => {
  it.each([
    ["75", 7500],
    ["$19.50", 1950],
    [" 0 ", 0],
    ["19.999", null],
    ["-1", null],
    ["1e3", null],
    ["10001", null],
    ["", null],
  ])("parses %j dollars as %j cents", (text, cents) => expect(parsePrice(text)).toBe(cents));

  it.each([
    ["#ffffff", /^Easy to read/],
    ["#000000", /^A bit dark/],
    ["red", /^$/],
  ])("rates %s as %s", (color, text) => expect(contrastNote(color)).toMatch(text));
});
