import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { apiServer } from "../../testing/api-server";
import { renderApp } from "../../testing/render-app";

type ListJourney<T> = ReturnType<typeof apiServer> & {
  /** The address of the screen, and of the call behind it. */
  at: string;
  path: string;
  /** The table's label, and two rows: what comes first, and what a second page brings. */
  label: string;
  items: [T, T];
  /** How the two rows are named on the screen. */
  names: [RegExp, RegExp];
  trouble: string;
  empty: string;
};

/** What every list of staff does: pages, nothing there, an error with a way to try again, a session that is over. */
export function behavesAsAList<T>({ answers, calls, at, path, label, items, names, trouble, empty }: ListJourney<T>) {
  const route = `GET ${path}`;
  beforeEach(() => {
    answers.set("GET /api/admin/ping", { body: {} });
    answers.set(route, ({ route: asked }) =>
      asked.includes("cursor=more")
        ? { body: { items: [items[1]], nextCursor: null } }
        : { body: { items: [items[0]], nextCursor: "more" } },
    );
  });

  it("shows a page, and more of it on demand", async () => {
    renderApp(at);
    const table = await screen.findByRole("table", { name: label });
    expect(within(table).getByRole("rowheader", { name: names[0] })).toBeTruthy();
    expect(within(table).queryByRole("rowheader", { name: names[1] })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(await within(table).findByRole("rowheader", { name: names[1] })).toBeTruthy();
    expect(within(table).getByRole("rowheader", { name: names[0] })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  });

  it("keeps what it has when the next page fails", async () => {
    renderApp(at);
    const table = await screen.findByRole("table", { name: label });
    answers.set(route, { status: 500, body: { code: "internal", message: "" } });
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect((await screen.findByRole("alert")).textContent).toContain("Server error. Please try again later.");
    expect(within(table).getByRole("rowheader", { name: names[0] })).toBeTruthy();
  });

  it("says that there is nothing", async () => {
    answers.set(route, { body: { items: [], nextCursor: null } });
    renderApp(at);
    expect(await screen.findByText(empty)).toBeTruthy();
  });

  it("says what is wrong, and tries again", async () => {
    answers.set(route, { status: 500, body: { code: "internal", message: "" } });
    renderApp(at);
    expect((await screen.findByRole("alert")).textContent).toContain(trouble);
    answers.set(route, { body: { items: [items[0]], nextCursor: null } });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("rowheader", { name: names[0] })).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("leads to the key when the session is over", async () => {
    answers.set(route, { status: 401, body: { code: "unauthenticated", message: "Please sign in." } });
    const { router } = renderApp(at);
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/login"));
    expect(calls.some(({ route: asked }) => asked.startsWith(route))).toBe(true);
  });
}

/** Types into a list's search; resolves once the list was asked for it. */
export async function searchesFor(field: string, words: string, asked: () => boolean) {
  await userEvent.type(screen.getByRole("searchbox", { name: field }), words);
  await waitFor(() => expect(asked()).toBe(true));
}
