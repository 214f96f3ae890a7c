// @vitest-environment jsdom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, describe, expect, test, vi } from "vitest";

import { ShareButton } from "./share-button";

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);

const URL = "https://cooking.example.com/blog/bread";
const button = <ShareButton title="Bread" url={URL} />;
const openSheet = vi.fn<(data: ShareData) => Promise<void>>();
const writeText = vi.fn<(text: string) => Promise<void>>();

function provide(name: "share" | "clipboard", value: unknown) {
  Object.defineProperty(navigator, name, { configurable: true, value });
}

async function pressShare(): Promise<string> {
  const page = document.createElement("main");
  await act(async () => createRoot(page).render(button));
  await act(async () => page.querySelector("a")?.click());
  return page.querySelector("[role=status]")?.textContent ?? "";
}

beforeEach(() => {
  openSheet.mockReset().mockResolvedValue();
  writeText.mockReset().mockResolvedValue();
  provide("share", openSheet);
  provide("clipboard", { writeText });
});

describe("the share button", () => {
  test("opens the share sheet where there is one", async () => {
    expect(await pressShare()).toBe("");
    expect(openSheet).toHaveBeenCalledWith({ title: "Bread", url: URL });
    expect(writeText).not.toHaveBeenCalled();
  });

  test("says nothing when the sheet is closed", async () => {
    openSheet.mockRejectedValue(new DOMException("closed", "AbortError"));
    expect(await pressShare()).toBe("");
    expect(writeText).not.toHaveBeenCalled();
  });

  test("copies the link without a sheet", async () => {
    provide("share", undefined);
    expect(await pressShare()).toBe("Link copied");
    expect(writeText).toHaveBeenCalledWith(URL);
  });

  test("shows the link when it cannot be copied", async () => {
    provide("share", undefined);
    writeText.mockRejectedValue(new DOMException("denied", "NotAllowedError"));
    expect(await pressShare()).toBe(`Copy this link: ${URL}`);
    provide("clipboard", undefined);
    expect(await pressShare()).toBe(`Copy this link: ${URL}`);
  });

  test("starts an email without scripts", () => {
    expect(renderToStaticMarkup(button)).toContain(`href="mailto:?subject=Bread&amp;body=${encodeURIComponent(URL)}"`);
  });
});
