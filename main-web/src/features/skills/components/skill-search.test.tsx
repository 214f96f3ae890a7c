import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, screen } from "@testing-library/react";
import { useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { expect, it, onTestFinished } from "vitest";
import { apiServer } from "@/testing/api-server";
import { enterEarlyInput, holdInput, releasePresses } from "@/lib/early-input";
import { SkillSearch } from "./skill-search";

const { responses } = apiServer();

function Page() {
  const [text, setText] = useState("");
  return (
    <>
      <SkillSearch value={text} onChange={setText} />
      <output>{text}</output>
    </>
  );
}

it.each([true, false])("takes over what was typed before the app, with focus: %s", async (hasFocus) => {
  responses.set("GET /api/skills/suggestions/autocomplete", {
    body: { suggestions: [{ name: "guitar", category: "Creative" }] },
  });
  const page = (
    <QueryClientProvider client={new QueryClient()}>
      <Page />
    </QueryClientProvider>
  );
  const root = document.createElement("div");
  root.innerHTML = renderToString(page);
  document.body.append(root);
  const field = screen.getByRole<HTMLInputElement>("combobox");
  holdInput(root);
  field.value = "gui";
  if (hasFocus) field.focus();
  const app = await act(() => {
    const taking = hydrateRoot(root, page);
    releasePresses(root);
    return taking;
  });
  act(() => enterEarlyInput(root));
  onTestFinished(() => {
    act(() => app.unmount());
    root.remove();
  });
  expect(field.isConnected).toBe(true);
  expect(field.value).toBe("gui");
  expect(document.querySelector("output")?.textContent).toBe("gui");
  if (hasFocus) expect(await screen.findByRole("option", { name: /guitar/ })).toBeTruthy();
  expect(field.getAttribute("aria-expanded")).toBe(String(hasFocus));
});
