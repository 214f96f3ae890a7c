import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADAS_SITE, stubResizeObserver } from "@/testing/console-pages";
import { ADA, renderApp } from "@/testing/render-app";
import type { ConsolePost } from "./lib/types";

const { responses } = apiServer();

const TEXT = { title: "Engines", slug: "", tags: [], excerpt: "", content: "They weave." };
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
  // jsdom has no editing commands.
  Object.assign(document, { execCommand: () => false });
  responses.set("GET /api/guru", { body: { guru: ADAS_SITE } });
  responses.set("GET /api/guru/posts/p1", { body: POST });
  responses.set("PUT /api/guru/posts/p1/working-copy", {
    body: { revision: 4, savedAt: POST.savedAt, omissions: ["The picture “cat.png” isn't shown."] },
  });
});

async function paste(types: Record<string, string>, files: File[] = []) {
  renderApp("/guru/posts/p1", ADA);
  const content = await screen.findByLabelText<HTMLTextAreaElement>("Content");
  content.setSelectionRange(content.value.length, content.value.length);
  const clipboardData = { types: Object.keys(types), files, getData: (type: string) => types[type] ?? "" };
  const isLeftToBrowser = fireEvent.paste(content, { clipboardData });
  return { content, isLeftToBrowser };
}

describe("a post in its editor", () => {
  it("says what readers will not see as typed", async () => {
    responses.set("GET /api/guru/posts/p1", { body: { ...POST, omissions: ["Forms and buttons aren't shown."] } });
    renderApp("/guru/posts/p1", ADA);
    expect(await screen.findByText("Forms and buttons aren't shown.")).toBeTruthy();
    fireEvent.change(await screen.findByLabelText("Content"), { target: { value: "![x](cat.png)" } });
    expect(await screen.findByText("The picture “cat.png” isn't shown.")).toBeTruthy();
    expect(screen.queryByText("Forms and buttons aren't shown.")).toBeNull();
  });

  it("keeps the formatting of a paste, and prefers words to a picture of them", async () => {
    const picture = new File(["x"], "image.png", { type: "image/png" });
    const { content } = await paste({ "text/html": "<p>Mix <b>slowly</b></p>", "text/plain": "Mix slowly" }, [picture]);
    await waitFor(() => expect(content.value).toBe("They weave.Mix **slowly**"));
    expect(screen.queryByText("Add a picture")).toBeNull();
  });

  it.each([
    { "text/plain": "Mix slowly" },
    { "text/html": "<span style='color:red'>Mix slowly</span>", "text/plain": "Mix slowly" },
    { "text/html": "<b>x</b>", "text/plain": "x", "vscode-editor-data": "{}" },
  ])("leaves a paste without formatting to the browser", async (types) => {
    expect((await paste(types)).isLeftToBrowser).toBe(true);
  });

  it("says how much a text is too long", async () => {
    renderApp("/guru/posts/p1", ADA);
    fireEvent.change(await screen.findByLabelText("Content"), { target: { value: "x".repeat(41_234) } });
    expect(await screen.findByText(/1,234 characters too long. A post can have 40,000/)).toBeTruthy();
  });
});
