import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import { priceLabel } from "../components/service-card";

const { responses } = apiServer();

const service = (title: string, city: string, category: string, providers = 2) => ({
  id: title.toLowerCase().replaceAll(" ", "-"),
  title,
  description: `About ${title}`,
  avgPrice: 20,
  providers,
  rating: 4.9,
  city,
  category,
  cities: [{ city, providers, avgPrice: 20, rating: 4.9 }],
});

function serve() {
  responses.set("GET /api/angels", {
    body: {
      services: [
        service("Pet Sitting", "Denver", "Pets", 18),
        service("Yard Work", "Boulder", "Outdoor", 1),
        service("Moving Help", "Denver", "Moving"),
      ],
      cities: ["Denver", "Boulder"],
      categories: ["Home", "Moving", "Cleaning", "Outdoor", "Pets", "Errands"],
    },
  });
}

const titles = () =>
  within(screen.getByRole("main"))
    .queryAllByRole("heading", { level: 2 })
    .map((heading) => heading.textContent);

describe("Angel's List", () => {
  it("shows every service with its facts and buttons", async () => {
    serve();
    renderApp("/angels-list");
    const card = within((await screen.findByRole("heading", { name: "Pet Sitting" })).closest("li") as HTMLElement);
    for (const text of ["18 angels", "About Pet Sitting", "$20/hr", "Denver", "4.9"]) {
      expect(card.getByText(text)).toBeTruthy();
    }
    expect(card.getByRole("link", { name: "View Angels" }).getAttribute("href")).toBe("/angels-list/pet-sitting");
    expect(card.getByRole("button", { name: "Book Now" })).toBeTruthy();
    expect(screen.getByText("1 angel")).toBeTruthy();
  });

  it("offers SPEC's cities and seven categories", async () => {
    serve();
    renderApp("/angels-list");
    const cities = within(await screen.findByRole("combobox", { name: "City" })).getAllByRole("option");
    expect(cities.map((option) => option.textContent)).toEqual(["All Cities", "Denver", "Boulder"]);
    const categories = within(screen.getByRole("group", { name: "Category" })).getAllByRole("button");
    expect(categories.map((button) => button.textContent)).toEqual([
      ...["All", "Home", "Moving", "Cleaning", "Outdoor", "Pets", "Errands"],
    ]);
  });

  it("keeps the filters in the URL; going back restores them", async () => {
    serve();
    const { router } = renderApp("/angels-list");
    const user = userEvent.setup();
    await screen.findByRole("heading", { name: "Pet Sitting" });
    await user.selectOptions(screen.getByRole("combobox", { name: "City" }), "Denver");
    await waitFor(() => expect(titles()).toEqual(["Pet Sitting", "Moving Help"]));
    await user.click(screen.getByRole("button", { name: "Pets" }));
    await waitFor(() => expect(titles()).toEqual(["Pet Sitting"]));
    expect(screen.getByRole("button", { name: "Pets" }).getAttribute("aria-pressed")).toBe("true");
    expect(router.state.location.search).toBe("?city=Denver&category=Pets");
    await router.navigate(-1);
    await waitFor(() => expect(titles()).toEqual(["Pet Sitting", "Moving Help"]));
  });

  it("reads all three filters from the URL, and shows the empty state", async () => {
    serve();
    renderApp("/angels-list?search=YARD&city=Boulder&category=Outdoor");
    expect(await screen.findByRole("heading", { name: "Yard Work" })).toBeTruthy();
    expect(titles()).toEqual(["Yard Work"]);
    const user = userEvent.setup();
    await user.type(screen.getByRole("searchbox", { name: "Search services" }), "zzz");
    expect(await screen.findByText("No services found matching your criteria.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Clear filters" }));
    await waitFor(() => expect(titles()).toHaveLength(3));
  });

  it("shows a load error and retries", async () => {
    responses.set("GET /api/angels", { status: 500 });
    renderApp("/angels-list");
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    serve();
    await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("heading", { name: "Pet Sitting" })).toBeTruthy();
  });

  it("Book Now sends signed-out users to login and on to the dashboard", async () => {
    serve();
    const { router } = renderApp("/angels-list?category=Pets");
    await userEvent.setup().click(await screen.findByRole("button", { name: "Book Now" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
    expect(router.state.location.state).toEqual({
      from: "/dashboard?action=book-service&category=Pets&service=pet-sitting&message=Book+Pet+Sitting",
      message: "Please sign in to book Pet Sitting.",
    });
  });

  it("Book Now sends signed-in users to the dashboard", async () => {
    serve();
    const { router } = renderApp("/angels-list?category=Pets", ADA);
    await userEvent.setup().click(await screen.findByRole("button", { name: "Book Now" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/dashboard"));
    const state = { action: "book-service", category: "Pets", service: "pet-sitting", message: "Book Pet Sitting" };
    expect(router.state.location.state).toEqual(state);
  });

  it.each([
    [45, "$45/hr"],
    [19.5, "$19.50/hr"],
  ])("formats %d as %s", (dollars, text) => expect(priceLabel(dollars)).toBe(text));
});
