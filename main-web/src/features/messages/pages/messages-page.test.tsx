import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { startImpersonation } from "@/lib/impersonation";
import { apiServer, heldResponse } from "@/testing/api-server";
import { ADAS_SITE } from "@/testing/console-pages";
import { ADA, renderApp } from "@/testing/render-app";
import { message, threadCard } from "../messages-fixtures";
import type { Changes, Message, ThreadCard } from "../lib/types";

const { responses, calls } = apiServer();

const LIST = "GET /api/messages/threads";
const THREAD = "GET /api/messages/threads/t1";
const TEXTS = "GET /api/messages/threads/t1/messages";
const SEND = "POST /api/messages/threads/t1/messages";
const CHANGES = "GET /api/messages/changes";

const page = (...threads: ThreadCard[]) => ({ threads, nextCursor: null, unread: 0, change: 1 });
const texts = (...messages: Message[]) => ({ messages, hasEarlier: false, readNumber: messages.at(-1)?.number ?? 0 });
const changes = (more: Partial<Changes> = {}): Changes => ({
  change: 1,
  unread: 0,
  threads: [],
  messages: [],
  more: false,
  ...more,
});

function serve(thread = threadCard(), ...messages: Message[]) {
  responses.set(LIST, { body: page(thread) });
  responses.set(THREAD, { body: thread });
  responses.set(TEXTS, { body: texts(...messages) });
  responses.set(CHANGES, { body: changes() });
  responses.set("PUT /api/messages/threads/t1/read", { body: { unread: 0 } });
}

const composer = (name = "Message Theo") => screen.findByRole<HTMLTextAreaElement>("textbox", { name });
const happen = (event: string) => {
  act(() => void window.dispatchEvent(new Event(event)));
};
const bodies = (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);

beforeEach(() => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(true);
});

describe("the list", () => {
  it("shows a loading state, then who wrote what, and how much is unread", async () => {
    const { responder, release } = heldResponse(page(threadCard({ unread: 3, muted: true })));
    responses.set(LIST, responder);
    renderApp("/messages", ADA);
    await screen.findByRole("heading", { level: 1, name: "Messages" });
    expect(document.querySelector('[aria-busy="true"]')).toBeTruthy();
    release();
    const row = await screen.findByRole("link", { name: /^Theo Barnes/ });
    expect(row.getAttribute("href")).toBe("/messages/t1");
    expect(row.textContent).toContain("See you then");
    expect(row.textContent).toContain("3 unread");
    expect(within(row).getByRole("img", { name: "Muted" })).toBeTruthy();
  });

  it("says what to do when it is empty, for each box", async () => {
    responses.set(LIST, { body: page() });
    renderApp("/messages", ADA);
    expect(await screen.findByText("No messages yet")).toBeTruthy();
    await userEvent.click(screen.getByRole("link", { name: "Requests" }));
    expect(await screen.findByText("No requests")).toBeTruthy();
    await userEvent.click(screen.getByRole("link", { name: "Archived" }));
    expect(await screen.findByText("Nothing archived")).toBeTruthy();
    expect(calls.some(({ route }) => route.includes("box=archived") && route.includes("side=person"))).toBe(true);
  });

  it("shows a load error and retries", async () => {
    responses.set(LIST, { status: 500 });
    renderApp("/messages", ADA);
    expect(await screen.findByText("We couldn't load your messages")).toBeTruthy();
    responses.set(LIST, { body: page(threadCard()) });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: /^Theo Barnes/ })).toBeTruthy();
  });

  it("loads older conversations", async () => {
    const older = threadCard({ id: "t2", other: { name: "Maya Lin", photoUrl: "", handle: null } });
    responses.set(LIST, ({ route }) => ({
      body: route.includes("cursor=next") ? page(older) : { ...page(threadCard()), nextCursor: "next" },
    }));
    renderApp("/messages", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Show older conversations" }));
    expect(await screen.findByRole("link", { name: /^Maya Lin/ })).toBeTruthy();
  });

  it("is private from staff who look at a console", async () => {
    responses.set("GET /api/guru", { body: { guru: ADAS_SITE } });
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    startImpersonation({ label: "ada", character: "Ada", writing: false, expiresAt });
    renderApp("/guru/messages", ADA);
    expect(await screen.findByText("Messages are private")).toBeTruthy();
    expect(calls.filter(({ route }) => route.includes("/api/messages"))).toEqual([]);
  });

  it("is the guru's own in the console", async () => {
    responses.set("GET /api/guru", { body: { guru: ADAS_SITE } });
    responses.set(LIST, { body: page(threadCard({ side: "guru" })) });
    renderApp("/guru/messages", ADA);
    const row = await screen.findByRole("link", { name: /^Theo Barnes/ });
    expect(row.getAttribute("href")).toBe("/guru/messages/t1");
    expect(calls.some(({ route }) => route.includes("side=guru"))).toBe(true);
  });
});

describe("the header", () => {
  it("says how many messages are unread, and nothing to visitors", async () => {
    responses.set(CHANGES, { body: changes({ unread: 120 }) });
    const { change } = renderApp("/about", ADA);
    const link = await screen.findByRole("link", { name: "Messages, 120 unread" });
    expect(link.getAttribute("href")).toBe("/messages");
    expect(link.textContent).toBe("99+");
    change({ status: "signed-out", byUser: false });
    calls.length = 0;
    happen("focus");
    expect(screen.queryByRole("link", { name: /^Messages/ })).toBeNull();
    expect(calls.filter(({ route }) => route.startsWith(CHANGES))).toEqual([]);
  });
});

describe("a conversation", () => {
  it("shows its messages, files, session events and what was removed", async () => {
    const file = {
      id: "f1",
      name: "plan.pdf",
      bytes: 120_000,
      type: "application/pdf",
      isImage: false,
      width: 0,
      height: 0,
    };
    const image = { id: "f2", name: "oven.jpg", bytes: 9, type: "image/webp", isImage: true, width: 40, height: 30 };
    serve(
      threadCard({ guru: { label: "cooking", name: "Chef Guru", url: "http://cooking.test" } }),
      message({ number: 1, body: "See https://example.com/map.", files: [file, image] }),
      message({ number: 2, removed: true, body: "" }),
      message({
        id: "e1",
        number: 2,
        kind: "event",
        event: {
          type: "moved",
          bookingId: "b1",
          serviceName: "First Mug",
          startsAt: "2026-12-01T17:00:00Z",
          zone: "UTC",
        },
      }),
    );
    renderApp("/messages/t1", ADA);
    expect((await screen.findByRole("link", { name: "https://example.com/map" })).getAttribute("rel")).toContain(
      "nofollow",
    );
    expect(screen.getByText("Message removed")).toBeTruthy();
    expect(screen.getByRole("link", { name: /plan\.pdf/ }).getAttribute("href")).toBe("/api/messages/files/f1");
    expect(screen.getByRole("link", { name: "Session moved" }).getAttribute("href")).toBe("/sessions/b1");
    await userEvent.click(screen.getByRole("button", { name: "Open oven.jpg" }));
    const large = await screen.findByRole("dialog", { name: "oven.jpg" });
    expect(large.querySelector("img")?.getAttribute("src")).toBe("/api/messages/files/f2");
  });

  it("marks what is new, and tells the server that it was read", async () => {
    serve(threadCard({ unread: 2 }));
    responses.set(TEXTS, {
      body: { ...texts(message({ number: 1 }), message({ number: 2 }), message({ number: 3 })), readNumber: 1 },
    });
    renderApp("/messages/t1", ADA);
    const line = await screen.findByText("New messages");
    expect(line.compareDocumentPosition(screen.getByText("Message 2")) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(line.compareDocumentPosition(screen.getByText("Message 1")) & Node.DOCUMENT_POSITION_PRECEDING).toBeTruthy();
    await waitFor(() => expect(bodies("PUT /api/messages/threads/t1/read")).toEqual([{ number: 3 }]));
  });

  it("adds what arrives, says it, and asks again from there", async () => {
    serve(threadCard(), message({ number: 1 }));
    renderApp("/messages/t1", ADA);
    await screen.findByText("Message 1");
    const body = changes({
      change: 7,
      unread: 1,
      threads: [threadCard({ unread: 1 })],
      messages: [message({ number: 2, body: "Hi!" })],
    });
    responses.set(CHANGES, { body });
    happen("focus");
    expect((await screen.findAllByText("Hi!")).length).toBeGreaterThan(0);
    expect(await screen.findByText("Theo Barnes: Hi!")).toBeTruthy();
    happen("focus");
    await waitFor(() => expect(calls.some(({ route }) => route === `${CHANGES}?after=7`)).toBe(true));
  });

  it("loads earlier messages above", async () => {
    serve();
    responses.set(TEXTS, ({ route }) => ({
      body: route.includes("before=3")
        ? texts(message({ number: 1 }), message({ number: 2 }))
        : { ...texts(message({ number: 3 })), hasEarlier: true },
    }));
    renderApp("/messages/t1", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Show earlier messages" }));
    await screen.findByText("Message 1");
    const shown = screen.getAllByText(/^Message \d$/).map((one) => one.textContent);
    expect(shown).toEqual(["Message 1", "Message 2", "Message 3"]);
  });

  it("shows load errors and retries, and says when it is unknown", async () => {
    serve(threadCard(), message());
    responses.set(TEXTS, { status: 503 });
    const { router } = renderApp("/messages/t1", ADA);
    await screen.findByText("We couldn't load this conversation");
    responses.set(TEXTS, { body: texts(message()) });
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Message 1")).toBeTruthy();
    await act(() => router.navigate("/messages/t9"));
    expect(await screen.findByText("We couldn't find this conversation")).toBeTruthy();
  });

  it("of a site opens in the console", async () => {
    responses.set("GET /api/guru", { body: { guru: ADAS_SITE } });
    serve(threadCard({ side: "guru" }), message());
    const { router } = renderApp("/messages/t1", ADA);
    await waitFor(() => expect(router.state.location.pathname).toBe("/guru/messages/t1"));
    expect(await screen.findByText("Message 1")).toBeTruthy();
  });
});

describe("writing", () => {
  it("sends with Ctrl+Enter, once, and says that it is sent", async () => {
    serve(threadCard(), message());
    const { responder, release } = heldResponse(message({ number: 2, mine: true, body: "Gladly!" }));
    responses.set(SEND, responder);
    renderApp("/messages/t1", ADA);
    const user = userEvent.setup();
    await user.type(await composer(), "Gladly!{Enter}");
    expect(bodies(SEND)).toEqual([]);
    await user.keyboard("{Backspace}{Control>}{Enter}{/Control}");
    expect(await screen.findByText("Sending")).toBeTruthy();
    expect((await composer()).value).toBe("");
    release();
    expect(await screen.findByText(/Sent/)).toBeTruthy();
    expect(bodies(SEND)).toEqual([{ body: "Gladly!", fileIds: [] }]);
    expect(screen.getAllByText("Gladly!")).toHaveLength(1);
  });

  it("keeps what failed and sends it again with the same key", async () => {
    serve(threadCard(), message());
    responses.set(SEND, { status: 503 });
    renderApp("/messages/t1", ADA);
    const user = userEvent.setup();
    await user.type(await composer(), "Are you there?");
    await user.click(screen.getByRole("button", { name: "Send" }));
    const again = await screen.findByRole("button", { name: "Not sent. Tap to try again." });
    responses.set(SEND, { status: 201, body: message({ number: 2, mine: true, body: "Are you there?" }) });
    await user.click(again);
    expect(await screen.findByText(/Sent/)).toBeTruthy();
    const keys = calls.filter(({ route }) => route === SEND).map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(1);
    expect(keys.length).toBeGreaterThan(1);
  });

  it("says why a message was refused, and gives it back to edit", async () => {
    serve(threadCard(), message());
    const refusal = "You've sent a lot of messages. Please try again in a while.";
    responses.set(SEND, { status: 409, body: { code: "quota_exceeded", message: refusal } });
    renderApp("/messages/t1", ADA);
    const user = userEvent.setup();
    await user.type(await composer(), "One more");
    await user.click(screen.getByRole("button", { name: "Send" }));
    expect(await screen.findByText(`Not sent. ${refusal}`)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Edit" }));
    expect((await composer()).value).toBe("One more");
    expect(screen.queryByText(`Not sent. ${refusal}`)).toBeNull();
  });

  it("keeps drafts per conversation, and unsent messages while offline", async () => {
    serve(threadCard(), message());
    responses.set("GET /api/messages/threads/t2", { body: threadCard({ id: "t2" }) });
    responses.set("GET /api/messages/threads/t2/messages", { body: texts() });
    const { router } = renderApp("/messages/t1", ADA);
    const user = userEvent.setup();
    await user.type(await composer(), "Half a thought");
    await act(() => router.navigate("/messages/t2"));
    await waitFor(async () => expect((await composer()).value).toBe(""));
    await act(() => router.navigate("/messages/t1"));
    await waitFor(async () => expect((await composer()).value).toBe("Half a thought"));
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    responses.set(SEND, { status: 503 });
    await user.click(screen.getByRole("button", { name: "Send" }));
    expect(await screen.findByText("Not sent yet. It goes out when you're back online.")).toBeTruthy();
    online.mockReturnValue(true);
    responses.set(SEND, { status: 201, body: message({ number: 2, mine: true, body: "Half a thought" }) });
    happen("online");
    expect(await screen.findByText(/Sent/)).toBeTruthy();
  });

  it("counts near the limit and refuses what is longer", async () => {
    serve(threadCard(), message());
    renderApp("/messages/t1", ADA);
    const field = await composer();
    fireEvent.change(field, { target: { value: "x".repeat(3990) } });
    expect(screen.getByText("10 characters left")).toBeTruthy();
    fireEvent.change(field, { target: { value: "x".repeat(4001) } });
    expect(screen.getByText("1 characters too many")).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Send" }).disabled).toBe(true);
  });

  it("attaches pasted files, says what failed, and tries again", async () => {
    serve(threadCard(), message());
    const FILES = "POST /api/messages/files";
    responses.set(FILES, {
      status: 422,
      body: { code: "validation_failed", fields: { file: "We can't send this kind of file." } },
    });
    renderApp("/messages/t1", ADA);
    const field = await composer();
    const pdf = new File(["%PDF"], "plan.pdf", { type: "application/pdf" });
    pdf.arrayBuffer = () => Promise.resolve(new ArrayBuffer(4)); // jsdom has none
    const large = new File([new ArrayBuffer(10 * 1024 * 1024 + 1)], "film.mp4", { type: "video/mp4" });
    fireEvent.paste(field, { clipboardData: { files: [pdf, large] } });
    expect(await screen.findByText(/film\.mp4 is larger than 10\.0 MB/)).toBeTruthy();
    expect(await screen.findByText("We can't send this kind of file.")).toBeTruthy();
    const file = { id: "f1", name: "plan.pdf", bytes: 4, type: "application/pdf", isImage: false, width: 0, height: 0 };
    responses.set(FILES, { status: 201, body: file });
    await userEvent.click(screen.getByRole("button", { name: "Try plan.pdf again" }));
    expect(await screen.findByRole("button", { name: "Remove plan.pdf" })).toBeTruthy();
    responses.set(SEND, { status: 201, body: message({ number: 2, mine: true, body: "", files: [file] }) });
    await userEvent.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(bodies(SEND)).toEqual([{ body: "", fileIds: ["f1"] }]));
    expect(calls.find(({ route }) => route.startsWith(FILES))?.route).toBe(`${FILES}?name=plan.pdf`);
  });
});

describe("the menu of a conversation", () => {
  const open = async (item: string) => {
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Conversation options" }));
    await user.click(await screen.findByRole("menuitem", { name: item }));
    return user;
  };

  it("mutes and archives", async () => {
    serve(threadCard(), message());
    const SETTINGS = "PUT /api/messages/threads/t1/settings";
    responses.set(SETTINGS, ({ body }) => ({ body: threadCard(body as object) }));
    renderApp("/messages/t1", ADA);
    await open("Mute");
    await open("Archive");
    expect(await screen.findByText("Archived. It comes back when someone writes.")).toBeTruthy();
    expect(bodies(SETTINGS)).toEqual([
      { muted: true, archived: false },
      { muted: true, archived: true },
    ]);
  });

  it("blocks after saying what it means, and unblocks", async () => {
    serve(threadCard(), message());
    const BLOCK = "/api/messages/threads/t1/block";
    responses.set(`PUT ${BLOCK}`, { body: threadCard({ blocked: "by_me", canWrite: false }) });
    responses.set(`DELETE ${BLOCK}`, { body: threadCard() });
    renderApp("/messages/t1", ADA);
    const user = await open("Block");
    const dialog = await screen.findByRole("alertdialog", { name: "Block Theo?" });
    expect(dialog.textContent).toContain("We don't tell Theo.");
    await user.click(within(dialog).getByRole("button", { name: "Block" }));
    expect(await screen.findByText("You blocked Theo.", { selector: "p" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Unblock" }));
    expect(await composer()).toBeTruthy();
  });

  it("reports with the last messages, and keeps what is typed", async () => {
    serve(threadCard(), message());
    const REPORT = "POST /api/messages/threads/t1/reports";
    responses.set(REPORT, { status: 500 });
    renderApp("/messages/t1", ADA);
    const user = await open("Report");
    const dialog = await screen.findByRole("dialog", { name: "Report Theo" });
    expect(dialog.textContent).toContain("the last 10 messages");
    await user.click(within(dialog).getByRole("button", { name: "Send report" }));
    expect(await screen.findByText("Please choose a reason")).toBeTruthy();
    await user.selectOptions(screen.getByLabelText("What's wrong?"), "spam");
    await user.type(screen.getByLabelText(/Anything else/), "Ads only");
    await user.click(screen.getByRole("button", { name: "Send report" }));
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    responses.set(REPORT, { status: 201, body: { message: "Thanks for telling us." } });
    await user.click(screen.getByRole("button", { name: "Send report" }));
    expect(await screen.findByText("Thanks for telling us.")).toBeTruthy();
    expect(bodies(REPORT).at(-1)).toEqual({ reason: "spam", details: "Ads only" });
  });

  it("removes an own message after asking", async () => {
    const own = message({ mine: true, body: "Oops" });
    serve(threadCard(), own);
    responses.set("DELETE /api/messages/threads/t1/messages/1", { body: { ...own, removed: true, body: "" } });
    renderApp("/messages/t1", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Message options" }));
    await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
    await user.click(await screen.findByRole("button", { name: "Remove message" }));
    expect(await screen.findByText("Message removed")).toBeTruthy();
  });
});

describe("requests and blocks", () => {
  it("accepts a request", async () => {
    serve(threadCard({ request: true }), message());
    responses.set("PUT /api/messages/threads/t1/acceptance", { body: threadCard() });
    renderApp("/messages/t1?box=requests", ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Accept" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Accept" })).toBeNull());
    expect(await screen.findByText("Moved to your inbox.")).toBeTruthy();
  });

  it("lists blocked people and unblocks them", async () => {
    responses.set(LIST, { body: page() });
    const zoe = { id: "b1", name: "Zoe Quill", photoUrl: "", blockedAt: "2026-11-20T12:00:00Z" };
    responses.set("GET /api/blocks", { body: { blocks: [zoe] } });
    responses.set("DELETE /api/blocks/b1", () => {
      responses.set("GET /api/blocks", { body: { blocks: [] } });
      return { body: {} };
    });
    renderApp("/messages", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Message settings" }));
    await user.click(await screen.findByRole("menuitem", { name: "Blocked people" }));
    await user.click(await screen.findByRole("button", { name: "Unblock Zoe Quill" }));
    expect(await screen.findByText("You haven't blocked anyone")).toBeTruthy();
  });
});
