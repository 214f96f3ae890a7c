import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import type { PlaceMatch } from "../api/get-place-match";
import { PlaceHint } from "./place-hint";

const { responses, calls } = apiServer();

const place = (label: string): PlaceMatch["choices"][number] => {
  const [city = "", state = ""] = label.split(", ");
  return { label, city, principalSubdivision: state, countryCode: "US", latitude: 39.7, longitude: -105 };
};
const clear = (label: string): PlaceMatch => ({ place: place(label), choices: [], message: "" });
const unclear = (message: string, ...labels: string[]): PlaceMatch => ({
  place: null,
  choices: labels.map(place),
  message,
});

type Props = Partial<Parameters<typeof PlaceHint>[0]> & { first?: string };

const client = new QueryClient();

function Form({ first = "", ...props }: Props) {
  const [text, setText] = useState(first);
  return (
    <QueryClientProvider client={client}>
      <input aria-label="Town" value={text} onChange={(event) => setText(event.target.value)} />
      <PlaceHint text={text} onChoose={setText} {...props} />
    </QueryClientProvider>
  );
}

/** Answer the matches of these texts. */
function answer(matches: Record<string, PlaceMatch>) {
  client.clear();
  responses.set("GET /api/geocode/match", ({ route }) => {
    const match = matches[new URL(route.slice(4), "http://test").searchParams.get("q") ?? ""];
    return match ? { body: match } : { status: 503, body: { message: "Away." } };
  });
}

const type = async (text: string) => userEvent.type(screen.getByLabelText("Town"), text);

describe("the hint below a typed place", () => {
  it("says which town was understood", async () => {
    answer({ nyc: clear("New York, New York") });
    render(<Form />);
    await type("nyc");
    expect((await screen.findByText("New York, New York")).closest("[role=status]")).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("says nothing about a town in its usual form", async () => {
    answer({ "Denver, Colorado": clear("Denver, Colorado") });
    render(<Form />);
    await type("Denver, Colorado");
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(screen.getByRole("status").textContent).toBe("");
  });

  it("offers what may be meant, one press each, and keeps the text until then", async () => {
    answer({
      Springfield: unclear("There is more than one Springfield.", "Springfield, Missouri", "Springfield, Illinois"),
      "Springfield, Illinois": clear("Springfield, Illinois"),
    });
    render(<Form />);
    await type("Springfield");
    expect(await screen.findByText("There is more than one Springfield. Did you mean:")).toBeTruthy();
    expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
      "Springfield, Missouri",
      "Springfield, Illinois",
    ]);
    expect(screen.getByDisplayValue("Springfield")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Springfield, Illinois" }));
    expect(screen.getByDisplayValue("Springfield, Illinois")).toBeTruthy();
    await waitFor(() => expect(screen.getByRole("status").textContent).toBe(""));
  });

  it("offers the town that fits the ZIP code first", async () => {
    answer({
      Springfield: unclear("There is more than one Springfield.", "Springfield, Missouri"),
      "Springfield, 97477": clear("Springfield, Oregon"),
    });
    render(<Form zipCode="97477" />);
    await type("Springfield");
    expect(await screen.findByRole("button", { name: "Springfield, Oregon" })).toBeTruthy();
    expect(screen.getAllByRole("button")[0]?.textContent).toBe("Springfield, Oregon");
  });

  it("asks for the town instead of a ZIP code where others see it", async () => {
    answer({ "80202": clear("Denver, Colorado") });
    render(<Form isPublic />);
    await type("80202");
    expect(await screen.findByText(/leave out ZIP code and street\. Did you mean:/)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Denver, Colorado" })).toBeTruthy();
  });

  it("adds only the choices to an error that names them", async () => {
    answer({ Dever: unclear("", "Denver, Colorado") });
    render(<Form first="Dever" hasError />);
    expect(await screen.findByRole("button", { name: "Denver, Colorado" })).toBeTruthy();
    expect(screen.queryByText(/Did you mean/)).toBeNull();
  });

  it("is silent about the first text, blank text and an API that is away", async () => {
    answer({});
    render(<Form first="Boulder" />);
    await type(" ");
    await userEvent.clear(screen.getByLabelText("Town"));
    await type("x");
    await waitFor(() => expect(calls.map(({ route }) => route)).toEqual(["GET /api/geocode/match?q=x"]));
    expect(screen.getByRole("status").textContent).toBe("");
  });
});
