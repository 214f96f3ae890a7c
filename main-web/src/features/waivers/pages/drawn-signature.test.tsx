import { act, fireEvent, screen, within } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";

const { responses, calls } = apiServer();
const ACCEPT = "POST /api/liability/waiver";
const ACCEPTED = { waiverId: "w-1", acceptedAt: "2026-11-23T15:30:00Z", expiresAt: "2027-02-21T15:30:00Z" };

/** Report the size of an element once, as browsers do when an observer starts. */
class Observer {
  constructor(private readonly report: () => void) {}
  observe() {
    this.report();
  }
  disconnect() {
    return;
  }
}

beforeEach(() => {
  sessionStorage.clear();
  vi.stubGlobal("ResizeObserver", Observer);
  // jsdom has neither a canvas nor a layout.
  const context = new Proxy({}, { get: () => () => undefined, set: () => true });
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(context as never);
  vi.spyOn(HTMLCanvasElement.prototype, "clientWidth", "get").mockReturnValue(500);
  vi.spyOn(HTMLCanvasElement.prototype, "clientHeight", "get").mockReturnValue(200);
  responses.set("GET /api/liability/waivers", { body: { waivers: [] } });
  responses.set("POST /api/liability/risk", {
    body: { rating: "low", level: "low", requiresWaiver: false, requiresContact: false, reasons: [], known: true },
  });
  const text = { version: 1, title: "Waiver", body: "# T\n\nRead it.", sha256: "aa", validDays: 90, guruText: null };
  responses.set("GET /api/liability/texts/low", { body: { level: "low", ...text } });
  responses.set(ACCEPT, { status: 201, body: ACCEPTED });
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function open(user: UserEvent) {
  await user.click(await screen.findByRole("button", { name: "Join Exchange (Waiver Required): Web Programming" }));
  await screen.findByText("Read it.");
}

function canvasOf(area: HTMLElement): HTMLCanvasElement {
  const canvas = area.querySelector("canvas");
  if (!canvas) throw new Error("no canvas");
  return canvas;
}

const drawing = () => screen.findByRole("img", { name: "Your drawn signature" });

/** Draw a line with the mouse, from the given point to the right. */
function drawLine(area: HTMLElement, x: number, y: number) {
  const canvas = canvasOf(area);
  const mouse = { button: 0, buttons: 1, pointerId: 1, bubbles: true };
  act(() => {
    fireEvent(canvas, pointer("pointerdown", { ...mouse, clientX: x, clientY: y }));
    for (const step of [50, 100]) {
      fireEvent(window, pointer("pointermove", { ...mouse, clientX: x + step, clientY: y }));
    }
    fireEvent(window, pointer("pointerup", { ...mouse, buttons: 0, clientX: x + 150, clientY: y }));
  });
}

function pointer(type: string, init: PointerEventInit) {
  const event = new MouseEvent(type, init);
  Object.defineProperty(event, "pointerId", { value: init.pointerId });
  Object.defineProperty(event, "pressure", { value: 0.5 });
  return event;
}

async function openDrawing(user: UserEvent) {
  const button = screen.getByRole("button", { name: "Draw your signature" });
  expect(button.getAttribute("aria-describedby")).toBe(screen.getByText("Optional. Your typed name is enough.").id);
  await user.click(button);
  const area = await screen.findByRole("img", { name: "Drawing area for your signature, empty" });
  await vi.waitFor(() => expect(area.getAttribute("aria-busy")).toBe("false"));
  return area;
}

it("sends what was drawn, keeps it while the dialog is open, and clears it", async () => {
  renderApp("/liability-demo", ADA);
  const user = userEvent.setup();
  await open(user);
  const clear = () => screen.getByRole<HTMLButtonElement>("button", { name: "Clear drawing" });
  drawLine(await openDrawing(user), 100, 50);
  await drawing();
  await user.click(clear());
  expect(await screen.findByRole("img", { name: "Drawing area for your signature, empty" })).toBeTruthy();
  expect(clear().getAttribute("aria-disabled")).toBe("true"); // it keeps the focus
  drawLine(screen.getByRole("img", { name: /empty$/ }), 20, 100);
  await drawing();
  await user.click(screen.getByRole("checkbox", { name: /13 to 17/ }));
  await user.type(screen.getByLabelText("Name of the minor"), "Tim");
  for (const name of [/read and understood/, /acknowledge the risks/, /agree to the release/]) {
    await user.click(screen.getByRole("checkbox", { name }));
  }
  await user.click(screen.getByRole("button", { name: "Accept" }));
  expect(await screen.findByText("Waiver ID: w-1")).toBeTruthy();
  const [call] = calls.filter(({ route }) => route === ACCEPT);
  const { drawn } = (call?.body as { signature: { drawn: number[][] } }).signature;
  expect(drawn).toHaveLength(1);
  expect(drawn[0]?.slice(0, 2)).toEqual([40, 200]);
  expect(drawn[0]?.every((number) => Number.isInteger(number))).toBe(true);
});

it("needs the typed name beside a drawing", async () => {
  renderApp("/liability-demo", ADA);
  const user = userEvent.setup();
  await open(user);
  for (const tick of screen.getAllByRole("checkbox").slice(0, 3)) await user.click(tick);
  const accept = screen.getByRole<HTMLButtonElement>("button", { name: "Accept" });
  await user.clear(screen.getByLabelText("Participant's name"));
  expect(accept.disabled).toBe(false);
  drawLine(await openDrawing(user), 100, 50);
  await drawing();
  expect(accept.disabled).toBe(true);
});

it("keeps a visitor's drawing over the sign-in", async () => {
  renderApp("/liability-demo");
  const user = userEvent.setup();
  await open(user);
  await user.type(screen.getByLabelText("Participant's name"), "Ada");
  drawLine(await openDrawing(user), 100, 50);
  await drawing();
  for (const tick of screen.getAllByRole("checkbox").slice(0, 3)) await user.click(tick);
  await user.click(screen.getByRole("button", { name: "Accept" }));
  await screen.findByText("Please sign in to accept the waiver for Web Programming.");
  renderApp("/liability-demo", ADA);
  expect(within(await screen.findByRole("dialog")).getByRole("img", { name: "Your drawn signature" })).toBeTruthy();
});
