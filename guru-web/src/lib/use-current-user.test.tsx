// @vitest-environment jsdom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, test, vi } from "vitest";

import { useCurrentUser } from "./use-current-user";

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);

function Greeting() {
  return <p>{useCurrentUser()?.name ?? "visitor"}</p>;
}

const answer = (status: number, user: { displayName: string } | null) =>
  Promise.resolve(new Response(JSON.stringify({ success: status === 200, data: { user } }), { status }));

const returnToPage = () => act(async () => void document.dispatchEvent(new Event("visibilitychange")));

afterEach(() => {
  document.cookie = "porchlight_signed_in=; max-age=0";
});

test("the user stays when the session call fails, until the session ends", async () => {
  document.cookie = "porchlight_signed_in=1";
  const fetchSession = vi.fn(() => answer(200, { displayName: "Ada" }));
  vi.stubGlobal("fetch", fetchSession);
  const page = document.createElement("main");
  await act(async () => createRoot(page).render(<Greeting />));
  await vi.waitFor(() => expect(page.textContent).toBe("Ada"));
  fetchSession.mockImplementation(() => answer(503, null));
  await returnToPage();
  fetchSession.mockImplementation(() => Promise.reject(new Error("offline")));
  await returnToPage();
  expect(fetchSession).toHaveBeenCalledTimes(3);
  expect(page.textContent).toBe("Ada");
  fetchSession.mockImplementation(() => answer(200, null));
  await returnToPage();
  await vi.waitFor(() => expect(page.textContent).toBe("visitor"));
});
