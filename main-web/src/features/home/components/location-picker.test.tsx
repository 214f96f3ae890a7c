import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { placeLabel } from "../api/get-place";
import { LocationPicker } from "./location-picker";
import { useLocationLabel } from "../lib/use-location-label";

const { responses, calls } = apiServer();

const REFUSED = "We couldn't get your location. Change it to your city and state.";

function Picker() {
  return <LocationPicker location={useLocationLabel()} />;
}

/** Stub the browser's position and its permission. */
function standAt(latitude: number, longitude: number, permission: "granted" | "prompt") {
  const getCurrentPosition = vi.fn((onSuccess: (position: { coords: object }) => void) =>
    onSuccess({ coords: { latitude, longitude } }),
  );
  vi.stubGlobal("navigator", {
    geolocation: { getCurrentPosition },
    permissions: { query: () => Promise.resolve({ state: permission }) },
  });
  return getCurrentPosition;
}

const realNavigator = navigator;
afterEach(() => void vi.stubGlobal("navigator", realNavigator));

describe("the location label", () => {
  it("comes from the browser and reverse geocoding", async () => {
    standAt(39.74, -104.99, "granted");
    responses.set("GET /api/geocode/reverse", {
      body: { city: "Denver", locality: "", principalSubdivision: "Colorado" },
    });
    render(<Picker />);
    expect(await screen.findByText("Denver, Colorado")).toBeTruthy();
    expect(calls.map((call) => call.route)).toEqual(["GET /api/geocode/reverse?latitude=39.74&longitude=-104.99"]);
  });

  it("does not prompt on arrival", async () => {
    const getPosition = standAt(40, -105, "prompt");
    responses.set("GET /api/geocode/reverse", { body: { city: "Boulder", principalSubdivision: "Colorado" } });
    render(<Picker />);
    const button = await screen.findByRole("button", { name: "Use my location" });
    expect(getPosition).not.toHaveBeenCalled();
    await userEvent.setup().click(button);
    expect(await screen.findByText("Boulder, Colorado")).toBeTruthy();
  });

  it("asks for a typed place if the place is unknown", async () => {
    standAt(0, 0, "granted");
    render(<Picker />);
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(await screen.findByText(REFUSED)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Use my location" })).toBeNull();
  });

  it("says so when the permission is refused, and takes a typed place", async () => {
    vi.stubGlobal("navigator", {
      geolocation: {
        getCurrentPosition: (_onSuccess: unknown, onError: (error: Error) => void) => onError(new Error()),
      },
      permissions: { query: () => Promise.resolve({ state: "prompt" }) },
    });
    render(<Picker />);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Use my location" }));
    expect((await screen.findByText(REFUSED)).closest("[role=status]")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Change location" }));
    await user.type(screen.getByLabelText("Your location: city, state"), "Reno, Nevada{Enter}");
    expect(screen.getByText("Reno, Nevada")).toBeTruthy();
    expect(screen.queryByText(REFUSED)).toBeNull();
  });
});

describe("Change", () => {
  async function open() {
    const user = userEvent.setup();
    render(<Picker />);
    await user.click(screen.getByRole("button", { name: "Change location" }));
    return { user, input: screen.getByLabelText("Your location: city, state") };
  }

  it("saves the trimmed text with Set", async () => {
    const { user, input } = await open();
    expect(document.activeElement).toBe(input);
    await user.type(input, "  Austin, TX ");
    await user.click(screen.getByRole("button", { name: "Set" }));
    expect(screen.getByText("Austin, TX")).toBeTruthy();
    expect(localStorage.getItem("porchlight.location")).toBe("Austin, TX");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Change location" }));
  });

  it("saves with Enter, for later visits too", async () => {
    const { user, input } = await open();
    await user.type(input, "Houston, TX{Enter}");
    const getPosition = standAt(1, 1, "granted");
    render(<Picker />);
    expect(screen.getAllByText("Houston, TX")).toHaveLength(2);
    expect(getPosition).not.toHaveBeenCalled();
  });

  it("ignores blank input", async () => {
    const { user, input } = await open();
    await user.type(input, "   {Enter}");
    expect(screen.getByLabelText("Your location: city, state")).toBe(input);
    expect(localStorage.getItem("porchlight.location")).toBeNull();
  });

  it("cancels with Escape", async () => {
    const { user, input } = await open();
    await user.type(input, "Dallas{Escape}");
    expect(screen.getByText("Your neighborhood")).toBeTruthy();
  });
});

describe("placeLabel", () => {
  it.each([
    [{ city: "Denver", locality: "Five Points", principalSubdivision: "Colorado" }, "Denver, Colorado"],
    [{ city: "", locality: "Nederland", principalSubdivision: "Colorado" }, "Nederland, Colorado"],
    [{ city: "Singapore", principalSubdivision: "Singapore" }, "Singapore"],
    [{ principalSubdivision: "Colorado" }, "Colorado"],
    [{ city: " " }, null],
    [{}, null],
  ])("formats %j as %j", (place, label) => {
    expect(placeLabel(place)).toBe(label);
  });
});
