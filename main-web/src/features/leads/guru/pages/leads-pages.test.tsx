import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { apiServer, heldResponse } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { ConsoleLead, LeadList, LeadRow } from "../lib/types";
import { leadDetailNames, mapLeadDetails } from "@porchlight/shared/lead-details";

const { responses, calls } = apiServer();

const ROW: LeadRow = {
  id: "l1",
  name: "Grace",
  email: "grace@example.com",
  service: "Piano lesson",
  message: "Do you teach adults?",
  status: "read",
  createdAt: "2026-11-01T09:00:00Z",
};
const LIST: LeadList = { leads: [ROW], counts: { new: 2, read: 1, answered: 0, archived: 3 }, nextCursor: null };
const LEAD: ConsoleLead = {
  ...ROW,
  phone: "+1 (303) 555-0100",
  preferredTime: "",
  page: "/",
  addressState: "unconfirmed",
  answers: [],
  notes: [],
};
const REPLY = { id: "r1", body: "I do.", createdAt: "2026-11-01T10:00:00Z", sentAt: "2026-11-01T10:00:01Z" };

beforeEach(() => {
  sessionStorage.clear();
  const guru = { label: "ada", status: "active", address: "http://ada.porchlight.test", newLeads: 2, suspension: null };
  responses.set("GET /api/guru", { body: { guru } });
  responses.set("GET /api/guru/leads", { body: LIST });
  responses.set("GET /api/guru/leads/l1", { body: LEAD });
});

describe("the leads", () => {
  it("show a loading state, then each lead with its status", async () => {
    const { responder, release } = heldResponse(LIST);
    responses.set("GET /api/guru/leads", responder);
    renderApp("/guru/leads", ADA);
    await screen.findByRole("heading", { level: 1, name: "Leads" });
    expect(screen.queryByRole("list", { name: "Leads" })).toBeNull();
    expect(document.querySelector('[aria-busy="true"]')).toBeTruthy();
    release();
    const list = within(await screen.findByRole("list", { name: "Leads" }));
    expect(list.getByRole("link", { name: "Grace" }).getAttribute("href")).toBe("/guru/leads/l1");
    for (const text of ["Do you teach adults?", "Piano lesson", "Read"]) expect(list.getByText(text)).toBeTruthy();
    expect(screen.getByRole("button", { name: "Archived 3" })).toBeTruthy();
    expect(document.querySelector('[aria-busy="true"]')).toBeNull();
  });

  it("show the empty state", async () => {
    responses.set("GET /api/guru/leads", { body: { ...LIST, leads: [] } });
    renderApp("/guru/leads", ADA);
    expect(await screen.findByText("No messages yet")).toBeTruthy();
  });

  it("show a load error and retry", async () => {
    responses.set("GET /api/guru/leads", { status: 500 });
    renderApp("/guru/leads", ADA);
    expect(await screen.findByText("We couldn't load your leads")).toBeTruthy();
    responses.set("GET /api/guru/leads", { body: LIST });
    await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Grace" })).toBeTruthy();
  });

  it("are filtered by status, kept in the URL", async () => {
    responses.set("GET /api/guru/leads", ({ route }) => ({
      body: route.includes("status=archived") ? { ...LIST, leads: [] } : LIST,
    }));
    const { router } = renderApp("/guru/leads", ADA);
    await userEvent.setup().click(await screen.findByRole("button", { name: "Archived 3" }));
    expect(await screen.findByText("No leads match")).toBeTruthy();
    expect(router.state.location.search).toBe("?status=archived");
  });
});

describe("a lead", () => {
  it("shows the message and contact data", async () => {
    renderApp("/guru/leads/l1", ADA);
    expect(await screen.findByRole("heading", { level: 1, name: "Grace" })).toBeTruthy();
    expect(screen.getByText("Do you teach adults?")).toBeTruthy();
    expect(screen.getByRole("link", { name: LEAD.phone }).getAttribute("href")).toBe("tel:+13035550100");
    expect(screen.getByText("Only you can see these.")).toBeTruthy();
  });

  it("is marked as read when it is new", async () => {
    responses.set("GET /api/guru/leads/l1", { body: { ...LEAD, status: "new" } });
    responses.set("PUT /api/guru/leads/l1/status", { body: LEAD });
    renderApp("/guru/leads/l1", ADA);
    expect(await screen.findByRole("button", { name: "Mark as new" })).toBeTruthy();
    const sent = calls.filter(({ route }) => route === "PUT /api/guru/leads/l1/status");
    expect(sent.map(({ body }) => body)).toEqual([{ status: "read" }]);
  });

  it("stays replied when it is marked as read late", async () => {
    const read = heldResponse(LEAD);
    const answered = { ...LEAD, status: "answered", answers: [REPLY] };
    responses.set("GET /api/guru/leads/l1", { body: { ...LEAD, status: "new" } });
    responses.set("PUT /api/guru/leads/l1/status", read.responder);
    responses.set("POST /api/guru/leads/l1/answers", { status: 201, body: answered });
    renderApp("/guru/leads/l1", ADA);
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Your reply to Grace"), "I do.");
    await user.click(screen.getByRole("button", { name: "Send reply" }));
    read.release();
    expect(await screen.findByText("Your reply to Grace is on its way.")).toBeTruthy();
    expect(screen.getByText("Replied")).toBeTruthy();
    const routes = calls.map(({ route }) => route).filter((route) => !route.startsWith("GET"));
    expect(routes).toEqual(["PUT /api/guru/leads/l1/status", "POST /api/guru/leads/l1/answers"]);
  });

  it("keeps a reply on errors and sends it again under one key", async () => {
    responses.set("POST /api/guru/leads/l1/answers", { status: 503 });
    renderApp("/guru/leads/l1", ADA);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Send reply" }));
    expect(await screen.findByText("Please write a reply first.")).toBeTruthy();
    await user.type(screen.getByLabelText("Your reply to Grace"), "I do.");
    await user.click(screen.getByRole("button", { name: "Send reply" }));
    expect(await screen.findByText("Server error. Please try again later.")).toBeTruthy();
    expect(screen.getByLabelText<HTMLTextAreaElement>("Your reply to Grace").value).toBe("I do.");
    const answered = { ...LEAD, status: "answered", answers: [REPLY] };
    responses.set("POST /api/guru/leads/l1/answers", { status: 201, body: answered });
    responses.set("GET /api/guru/leads/l1", { body: answered });
    await user.click(screen.getByRole("button", { name: "Send reply" }));
    expect(await screen.findByText("Your reply to Grace is on its way.")).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Reply again" })).toBeTruthy();
    const sent = calls.filter(({ route }) => route === "POST /api/guru/leads/l1/answers");
    const keys = sent.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(sent.at(-1)?.body).toEqual({ body: "I do." });
  });

  it("whose person blocked the site keeps the text of the reply", async () => {
    const blocked = { code: "address_blocked", message: "This person doesn't want email from your site." };
    responses.set("POST /api/guru/leads/l1/answers", { status: 409, body: blocked });
    renderApp("/guru/leads/l1", ADA);
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Your reply to Grace"), "I do.");
    await user.click(screen.getByRole("button", { name: "Send reply" }));
    expect((await screen.findByRole("alert")).textContent).toMatch(/^This person doesn't want email from your site/);
    expect(screen.getByLabelText<HTMLTextAreaElement>("Your reply to Grace").value).toBe("I do.");
    expect(screen.getByRole("button", { name: "Send reply" }).getAttribute("aria-disabled")).toBe("true");
  });

  it("whose person blocked the site before says so at once", async () => {
    const answers = [{ ...REPLY, sentAt: null }];
    responses.set("GET /api/guru/leads/l1", { body: { ...LEAD, addressState: "blocked", answers } });
    renderApp("/guru/leads/l1", ADA);
    expect((await screen.findByRole("alert")).textContent).toMatch(/^This person doesn't want email from your site/);
    expect(screen.getByText("not sent")).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Send reply" }).disabled).toBe(true);
  });

  it("names the limit for unconfirmed addresses, and keeps the text", async () => {
    const message = "You can send 20 replies a day to people who haven't confirmed.";
    responses.set("POST /api/guru/leads/l1/answers", { status: 429, body: { code: "unconfirmed_limit", message } });
    renderApp("/guru/leads/l1", ADA);
    const user = userEvent.setup();
    await user.type(await screen.findByLabelText("Your reply to Grace"), "I do.");
    await user.click(screen.getByRole("button", { name: "Send reply" }));
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.getByLabelText<HTMLTextAreaElement>("Your reply to Grace").value).toBe("I do.");
  });

  it("moves to the archive", async () => {
    responses.set("PUT /api/guru/leads/l1/status", { body: { ...LEAD, status: "archived" } });
    renderApp("/guru/leads/l1", ADA);
    await userEvent.setup().click(await screen.findByRole("button", { name: "Archive" }));
    expect(await screen.findByRole("button", { name: "Move to inbox" })).toBeTruthy();
  });

  it("shows a message if it is not found", async () => {
    responses.set("GET /api/guru/leads/l1", { status: 404, body: { code: "not_found", message: "No." } });
    renderApp("/guru/leads/l1", ADA);
    expect(await screen.findByRole("heading", { level: 1, name: "Lead not found" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });

  it("shows a load error and retries", async () => {
    responses.set("GET /api/guru/leads/l1", { status: 500 });
    renderApp("/guru/leads/l1", ADA);
    expect(await screen.findByText("We couldn't load this lead")).toBeTruthy();
    responses.set("GET /api/guru/leads/l1", { body: LEAD });
    await userEvent.setup().click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(screen.getByRole("heading", { level: 1, name: "Grace" })).toBeTruthy());
  });
});

it("shows every detail of a lead", async () => {
  const details = mapLeadDetails((name) => `typed ${name}`);
  const lead: ConsoleLead = {
    ...details,
    id: "l1",
    name: "Nora",
    email: "nora@mail.example",
    service: "",
    message: "Bread?",
    status: "read",
    createdAt: "2026-11-01T09:00:00Z",
    page: "/contact",
    addressState: "unconfirmed",
    answers: [],
    notes: [],
  };
  responses.set("GET /api/guru/leads/l1", { body: lead });
  renderApp("/guru/leads/l1", ADA);
  const message = await screen.findByRole("region", { name: "Message" });
  for (const name of leadDetailNames) expect(message.textContent).toContain(details[name]);
});
