import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { renderApp } from "@/testing/render-app";
import { MAYA, SHARED_KEY } from "@/testing/admin/staff";

const { calls, responses } = apiServer();
const LOGOUT = "POST /api/admin/logout";

// Import before the first test's timeout starts.
beforeAll(
  () =>
    Promise.all([
      import("../components/admin-layout"),
      import("../dashboard/pages/dashboard-page"),
      import("@/app/admin-tabs"),
      import("./pages/login-page"),
    ]),
  60_000,
);

beforeEach(() => {
  responses.set("GET /api/admin/ping", { body: SHARED_KEY });
});

async function logOut() {
  const { router } = renderApp("/admin?tab=users");
  await userEvent.click(await screen.findByRole("button", { name: "Logout" }));
  return router;
}

describe("the name of the signed-in admin", () => {
  it.each([
    [SHARED_KEY, "Shared key"],
    [MAYA, "Maya Lindqvist"],
  ])("is that of the key's holder", async (session, name) => {
    responses.set("GET /api/admin/ping", { body: session });
    renderApp("/admin?tab=users");
    expect(await screen.findByText(name)).toBeTruthy();
  });
});

describe("logging out of the admin area", () => {
  it("says that it failed and stays", async () => {
    responses.set(LOGOUT, { status: 503 });
    const router = await logOut();
    expect(await screen.findByText("Failed to sign out: Server error. Please try again later.")).toBeTruthy();
    expect(router.state.location.pathname).toBe("/admin");
    expect(screen.getByRole("button", { name: "Logout" })).toBeTruthy();
  });

  it.each([200, 401])("goes home once the session is over (%i)", async (status) => {
    responses.set(LOGOUT, { status, body: {} });
    const router = await logOut();
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  });

  it("goes home although a read meets the ended session", async () => {
    const read = heldResponse({});
    const readEndedSession = async () => ({ ...(await read.responder()), status: 401 });
    const logout = heldResponse({});
    responses.set("GET /api/admin/users", readEndedSession);
    responses.set(LOGOUT, logout.responder);
    const router = await logOut();
    const visited: string[] = [];
    router.subscribe((state) => visited.push(state.location.pathname));
    await waitFor(() => expect(calls.map(({ route }) => route)).toContain(LOGOUT));
    read.release();
    // After these round trips, the response to the read has arrived and is rendered.
    for (let trip = 0; trip < 3; trip++) await act(() => fetch("/api/config"));
    logout.release();
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
    expect(visited).not.toContain("/admin/login");
  });
});
