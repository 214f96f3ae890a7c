import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "../../testing/api-server";
import { ADA, renderApp } from "../../testing/render-app";
import { contrastNote } from "./contrast";
import { centsOf } from "./service-dialog";
import type { DeskPost, MySite } from "./types";

const { answers, calls } = apiServer();

const SITE: MySite = { label: "ada", status: "active", address: "http://ada.porchlight.test", newLeads: 2 };
const WORDS = { title: "Engines", slug: "", tags: ["numbers"], excerpt: "", content: "They weave." };
const POST: DeskPost = {
  id: "p1",
  slug: "engines",
  standing: "draft",
  publishedAt: null,
  savedAt: "2026-11-01T09:00:00Z",
  revision: 3,
  views: 0,
  saved: WORDS,
  workingCopy: null,
};

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("ResizeObserver", class { observe() { return; } disconnect() { return; } });
  answers.set("GET /api/guru", { body: { guru: SITE } });
  answers.set("GET /api/guru/posts/p1", { body: POST });
});

async function edit(text: string) {
  renderApp("/guru/posts/p1", ADA);
  const content = await screen.findByLabelText<HTMLTextAreaElement>("Content");
  const user = userEvent.setup();
  await user.type(content, text);
  return { user, content };
}

describe("the console", () => {
  it("invites who has no site", async () => {
    answers.set("GET /api/guru", { body: { guru: null } });
    renderApp("/guru/leads", ADA);
    const link = await screen.findByRole("link", { name: "Become a Guru" });
    expect(link.getAttribute("href")).toBe("/onboarding");
  });

  it("says when the site was taken down", async () => {
    answers.set("GET /api/guru", { body: { guru: { ...SITE, status: "suspended" } } });
    renderApp("/guru/posts/p1", ADA);
    expect((await screen.findByRole("alert")).textContent).toContain("taken down by our staff");
  });
});

describe("the editor", () => {
  it("keeps what is typed on this device at once, and on the server at a pause", async () => {
    answers.set("PUT /api/guru/posts/p1/working-copy", { body: { revision: 4, savedAt: POST.savedAt } });
    await edit(" And think.");
    expect(localStorage.getItem("porchlight.post.p1")).toContain("And think.");
    await screen.findByText("All changes saved");
    const sent = calls.filter((call) => call.route.startsWith("PUT")).at(-1);
    expect(sent?.body).toEqual({ ...WORDS, content: "They weave. And think.", revision: 3 });
    expect(localStorage.getItem("porchlight.post.p1")).toBeNull();
  });

  it("loses nothing to another tab: mine can be kept", async () => {
    answers.set("PUT /api/guru/posts/p1/working-copy", { status: 409, body: { code: "changed_elsewhere", message: "Changed." } });
    const { user, content } = await edit(" Mine.");
    await screen.findByRole("button", { name: "Keep what I wrote here" });
    answers.set("GET /api/guru/posts/p1", { body: { ...POST, revision: 9, saved: { ...WORDS, content: "Theirs." } } });
    answers.set("PUT /api/guru/posts/p1/working-copy", { body: { revision: 10, savedAt: POST.savedAt } });
    await user.click(screen.getByRole("button", { name: "Keep what I wrote here" }));
    await screen.findByText("All changes saved");
    expect(content.value).toBe("They weave. Mine.");
    expect(calls.at(-1)?.body).toMatchObject({ content: "They weave. Mine.", revision: 9 });
  });

  it("loses nothing to another tab: theirs is taken, and mine stays beside it", async () => {
    answers.set("PUT /api/guru/posts/p1/working-copy", { status: 409, body: { code: "changed_elsewhere", message: "Changed." } });
    const { user, content } = await edit(" Mine.");
    answers.set("GET /api/guru/posts/p1", { body: { ...POST, revision: 9, saved: { ...WORDS, content: "Theirs." } } });
    await user.click(await screen.findByRole("button", { name: "Take the other version" }));
    await waitFor(() => expect(content.value).toBe("Theirs."));
    expect(screen.getByLabelText<HTMLTextAreaElement>("What you had written here").value).toBe("They weave. Mine.");
  });

  it("puts back what was typed before a crash", async () => {
    localStorage.setItem("porchlight.post.p1", JSON.stringify({ ...WORDS, content: "Half a thought" }));
    answers.set("PUT /api/guru/posts/p1/working-copy", { body: { revision: 4, savedAt: POST.savedAt } });
    renderApp("/guru/posts/p1", ADA);
    expect((await screen.findByLabelText<HTMLTextAreaElement>("Content")).value).toBe("Half a thought");
    expect(screen.getByText(/We kept what you typed on this device/)).toBeTruthy();
  });

  it("shows what the server refuses at its field", async () => {
    answers.set("PUT /api/guru/posts/p1", {
      status: 409,
      body: { code: "slug_taken", message: "Taken.", fields: { slug: "You have another post at this address. Please choose another." } },
    });
    renderApp("/guru/posts/p1", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Publish…" }));
    await user.click(await screen.findByRole("button", { name: "Publish now" }));
    expect(await screen.findByText("You have another post at this address. Please choose another.")).toBeTruthy();
  });
});

describe("words and numbers", () => {
  it.each([
    ["75", 7500],
    ["$19.50", 1950],
    [" 0 ", 0],
    ["19.999", null],
    ["-1", null],
    ["1e3", null],
    ["10001", null],
    ["", null],
  ])("%j dollars are %j cents", (text, cents) => expect(centsOf(text)).toBe(cents));

  it.each([
    ["#ffffff", /^Reads well/],
    ["#000000", /^Too dark/],
    ["red", /^$/],
  ])("%s: %s", (colour, words) => expect(contrastNote(colour)).toMatch(words));
});
