import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADAS_SITE, testLoading } from "@/testing/console-pages";
import { ADA, renderApp } from "@/testing/render-app";
import type { ConsolePostList } from "../lib/types";

const server = apiServer();
const { responses, calls } = server;

const POSTS: ConsolePostList = {
  posts: [
    {
      id: "p1",
      slug: "engines",
      title: "Engines",
      tags: [],
      standing: "published",
      publishedAt: "2026-11-01T09:00:00Z",
      savedAt: "2026-11-01T09:00:00Z",
      changed: true,
      views: 12,
    },
  ],
  counts: { draft: 1, scheduled: 0, published: 1, hidden: 0 },
  nextCursor: null,
};

const bodies = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: ADAS_SITE } });
  responses.set("GET /api/guru/posts", { body: POSTS });
});

testLoading(server, {
  at: "/guru/posts",
  route: "GET /api/guru/posts",
  body: POSTS,
  errorTitle: "We couldn't load your posts",
  text: "Engines",
});

it("shows the empty state and creates a draft", async () => {
  responses.set("GET /api/guru/posts", { body: { ...POSTS, posts: [] } });
  responses.set("POST /api/guru/posts", { status: 201, body: { id: "p9" } });
  const { router } = renderApp("/guru/posts", ADA);
  const empty = await screen.findByText("No posts yet");
  const [button] = screen.getAllByRole("button", { name: "New post" });
  expect(empty).toBeTruthy();
  await userEvent.setup().click(button ?? empty);
  await waitFor(() => expect(router.state.location.pathname).toBe("/guru/posts/p9"));
});

it("deletes a post only after confirming", async () => {
  responses.set("DELETE /api/guru/posts/p1", {});
  renderApp("/guru/posts", ADA);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Delete “Engines”" }));
  expect(bodies("DELETE /api/guru/posts/p1")).toEqual([]);
  responses.set("GET /api/guru/posts", { body: { ...POSTS, posts: [] } });
  await user.click(await screen.findByRole("button", { name: "Delete permanently" }));
  expect(await screen.findByText("Post deleted.")).toBeTruthy();
  expect(await screen.findByText("No posts yet")).toBeTruthy();
});
