// @vitest-environment jsdom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";

import { defaultServices, fallbackGuru } from "../fallback/default-content";
import type { Site } from "../lib/types";
import { PackageOffers } from "./package-offers";

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);

const [service] = defaultServices;
if (!service) throw new Error("no service");
const lesson = { ...service, id: "s1", name: "Knife Skills", price: 75 };
const item = {
  id: "k1",
  serviceId: "s1",
  serviceName: "Knife Skills",
  name: "Four lessons",
  sessions: 4,
  days: 90,
  priceCents: 20_000,
};
const site: Site = {
  guru: fallbackGuru("cooking"),
  origin: "https://cooking.example.com",
  mainOrigin: "https://example.com",
  returnOrigin: "https://example.com",
  takesReports: true,
  takesBookings: true,
  takesMessages: true,
  showsReviews: true,
  hasPosts: true,
};

async function show(answer: () => Promise<Response>, shown: Site = site) {
  const fetchPackages = vi.fn<(url: string) => Promise<Response>>(answer);
  vi.stubGlobal("fetch", fetchPackages);
  const page = document.createElement("main");
  await act(async () => createRoot(page).render(<PackageOffers site={shown} services={[lesson]} />));
  return { page, fetchPackages };
}

const packages = (...sold: object[]) =>
  Promise.resolve(new Response(JSON.stringify({ success: true, data: { packages: sold } })));

test("packages are shown with their price, what they save and where to buy them", async () => {
  const { page, fetchPackages } = await show(() => packages(item, { ...item, id: "k2", serviceId: "other" }));
  await vi.waitFor(() => expect(page.querySelectorAll("li")).toHaveLength(1));
  expect(fetchPackages.mock.calls[0]?.[0]).toBe("/api/gurus/cooking/packages");
  for (const text of [
    "Four lessons",
    "4 sessions of Knife Skills",
    "$200",
    "$50 per session. You save $100.",
    "90 days",
  ])
    expect(page.textContent).toContain(text);
  const link = page.querySelector("a");
  expect(link?.textContent).toBe("Buy package Four lessons");
  expect(link?.getAttribute("href")).toBe("https://example.com/packages/buy/cooking/k1");
});

test.each([
  ["without packages", () => packages()],
  ["after an error", () => Promise.resolve(new Response("{}", { status: 500 }))],
  ["without an answer", () => Promise.reject(new Error("offline"))],
])("nothing is shown %s", async (_, answer) => {
  const { page, fetchPackages } = await show(answer);
  await vi.waitFor(() => expect(fetchPackages).toHaveBeenCalledOnce());
  await act(async () => undefined);
  expect(page.textContent).toBe("");
});

test("nothing is asked for while the site takes no bookings", async () => {
  const { page, fetchPackages } = await show(() => packages(item), { ...site, takesBookings: false });
  expect(fetchPackages).not.toHaveBeenCalled();
  expect(page.textContent).toBe("");
});
