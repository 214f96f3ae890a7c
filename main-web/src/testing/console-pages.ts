import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { MyGuru } from "@/features/console/lib/types";
import { heldResponse, type apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";

/** The site of the guru who opens the console. */
export const ADAS_SITE: MyGuru = {
  label: "ada",
  status: "active",
  address: "http://ada.porchlight.test",
  newLeads: 2,
  suspension: null,
};

/** Give pages with a preview the observer that jsdom lacks. */
export function stubResizeObserver() {
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
}

type LoadedPage = {
  /** Path of the page; the request for its data, and the answer. */
  at: string;
  route: string;
  body: unknown;
  errorTitle: string;
  /** A text of the data. */
  text: string;
};

/** Test what every page of the console does: a loading state, its data, and an error with a retry button. */
export function testLoading(
  { responses }: ReturnType<typeof apiServer>,
  { at, route, body, errorTitle, text }: LoadedPage,
) {
  describe(at, () => {
    it("shows a loading state, then its data", async () => {
      const { responder, release } = heldResponse(body);
      responses.set(route, responder);
      renderApp(at, ADA);
      await screen.findByRole("heading", { level: 1 });
      await waitFor(() => expect(document.querySelector('[aria-busy="true"]')).toBeTruthy());
      expect(screen.queryByText(text)).toBeNull();
      release();
      expect(await screen.findByText(text)).toBeTruthy();
      expect(document.querySelector('[aria-busy="true"]')).toBeNull();
    });

    it("shows a load error and retries", async () => {
      responses.set(route, { status: 500 });
      renderApp(at, ADA);
      expect(await screen.findByText(errorTitle)).toBeTruthy();
      responses.set(route, { body });
      await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
      expect(await screen.findByText(text)).toBeTruthy();
    });
  });
}
