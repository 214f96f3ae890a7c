import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { apiServer } from "../api-server";
import { renderApp } from "../render-app";
import { SHARED_KEY } from "./staff";

type ListJourney<T> = ReturnType<typeof apiServer> & {
  /** Path of the page, and URL of its API request. */
  at: string;
  path: string;
  /** The table's label, and two rows: the first page and the second page. */
  label: string;
  items: [T, T];
  /** Names of the two rows on the page. */
  names: [RegExp, RegExp];
  errorTitle: string;
  empty: string;
};

/** Test what every staff list does: pages, an empty state, an error with a retry button, an expired session. */
export function testListBehavior<T>({
  responses,
  calls,
  at,
  path,
  label,
  items,
  names,
  errorTitle,
  empty,
}: ListJourney<T>) {
  const route = `GET ${path}`;
  beforeEach(() => {
    responses.set("GET /api/admin/ping", { body: SHARED_KEY });
    responses.set(route, ({ route: requested }) =>
      requested.includes("cursor=more")
        ? { body: { items: [items[1]], nextCursor: null } }
        : { body: { items: [items[0]], nextCursor: "more" } },
    );
  });

  it("shows one page, and the next on demand", async () => {
    renderApp(at);
    const table = await screen.findByRole("table", { name: label });
    expect(within(table).getByRole("rowheader", { name: names[0] })).toBeTruthy();
    expect(within(table).queryByRole("rowheader", { name: names[1] })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(await within(table).findByRole("rowheader", { name: names[1] })).toBeTruthy();
    expect(within(table).getByRole("rowheader", { name: names[0] })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  });

  it("keeps the first page when the next one fails", async () => {
    renderApp(at);
    const table = await screen.findByRole("table", { name: label });
    responses.set(route, { status: 500, body: { code: "internal", message: "" } });
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect((await screen.findByRole("alert")).textContent).toContain("Server error. Please try again later.");
    expect(within(table).getByRole("rowheader", { name: names[0] })).toBeTruthy();
  });

  it("shows the empty state", async () => {
    responses.set(route, { body: { items: [], nextCursor: null } });
    renderApp(at);
    expect(await screen.findByText(empty)).toBeTruthy();
  });

  it("shows the error and retries", async () => {
    responses.set(route, { status: 500, body: { code: "internal", message: "" } });
    renderApp(at);
    expect((await screen.findByRole("alert")).textContent).toContain(errorTitle);
    responses.set(route, { body: { items: [items[0]], nextCursor: null } });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("rowheader", { name: names[0] })).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("redirects to the login after the session expired", async () => {
    responses.set(route, { status: 401, body: { code: "unauthenticated", message: "Please sign in." } });
    const { router } = renderApp(at);
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/login"));
    expect(calls.some(({ route: requested }) => requested.startsWith(route))).toBe(true);
  });
}

/** Type into a list's search; resolves after the request for it. */
export async function testSearch(field: string, text: string, requested: () => boolean) {
  await userEvent.type(screen.getByRole("searchbox", { name: field }), text);
  await waitFor(() => expect(requested()).toBe(true));
}
