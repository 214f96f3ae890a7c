import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { DocumentData } from "../lib/types";

const { responses, calls } = apiServer();

const PAPER: DocumentData = {
  id: "d1",
  type: "license",
  category: "electrical",
  category_name: "Electrical",
  provider: "State of Colorado",
  number: "EL-1",
  issued_on: null,
  expires_on: "2031-05-01",
  file_url: "https://files.example/license.pdf",
  file_name: "",
  file_kind: "",
  status: "rejected",
  reason: "Too blurred.",
  created_at: "2026-10-03T09:00:00Z",
  reviewed_at: "2026-10-04T09:00:00Z",
};
const NEEDED = {
  slug: "electrical",
  name: "Electrical",
  riskLevel: "high",
  requirements: { requires_license: true, requires_gl: false, requires_auto_insurance: false, notes: "" },
  documents: [{ type: "license", title: "License", state: "missing" }],
  submitted: false,
  approved: false,
};

/** A file with readable bytes, which jsdom's own has not. */
function pdf(): File {
  const bytes = new TextEncoder().encode("%PDF-1.7");
  const file = new File([bytes], "a.pdf", { type: "application/pdf" });
  return Object.assign(file, { arrayBuffer: () => Promise.resolve(bytes.buffer) });
}

const sentRequests = (route: string) => calls.filter((call) => call.route.split("?")[0] === route);

// Import before the first test's timeout starts.
beforeAll(() => import("./documents-step"), 60_000);

beforeEach(() => {
  responses.set("GET /api/onboarding/documents", { body: { documents: [] } });
  responses.set("GET /api/onboarding/requirements", { body: { needed: [NEEDED] } });
  responses.set("GET /api/skills/categories", {
    body: [{ slug: "electrical", name: "Electrical", comingSoon: false }],
  });
});

async function open() {
  renderApp("/onboarding/documents", ADA);
  await screen.findByRole("heading", { name: "Upload Documents" });
  return userEvent.setup();
}

const upload = () => screen.getByRole("button", { name: "Upload document" });

describe("uploading a document", () => {
  it("sends a link and clears the form", async () => {
    responses.set("POST /api/onboarding/documents", { status: 201, body: PAPER });
    const user = await open();
    await user.selectOptions(screen.getByLabelText(/^Type/), "insurance");
    await user.type(screen.getByLabelText(/^Provider/), "Mutual of Denver");
    await user.type(screen.getByLabelText(/^Number/), "GL-100");
    await user.type(screen.getByLabelText(/^Expires on/), "2031-05-01");
    await user.type(screen.getByLabelText(/^Or a link/), "https://files.example/a.pdf");
    await user.click(upload());
    expect(await screen.findByText("Uploaded for review. You can add more or continue.")).toBeTruthy();
    expect(sentRequests("POST /api/onboarding/documents")[0]?.body).toEqual({
      type: "insurance",
      category: "",
      provider: "Mutual of Denver",
      number: "GL-100",
      issued_on: "",
      expires_on: "2031-05-01",
      file_url: "https://files.example/a.pdf",
      file_id: "",
    });
    expect(screen.getByLabelText<HTMLInputElement>(/^Provider/).value).toBe("");
  });

  it("uploads a file once although its data was rejected first", async () => {
    let isRejected = false;
    responses.set("POST /api/onboarding/documents/files", {
      status: 201,
      body: { id: "f1", kind: "application/pdf", name: "a.pdf", size: 9 },
    });
    responses.set("POST /api/onboarding/documents", () => {
      if (isRejected) return { status: 201, body: PAPER };
      isRejected = true;
      const message = "This document has expired. Please upload a current one.";
      return {
        status: 422,
        body: { code: "validation_failed", message: "Please check the fields.", fields: { expires_on: message } },
      };
    });
    const user = await open();
    await user.selectOptions(screen.getByLabelText(/^Type/), "id");
    await user.upload(screen.getByLabelText("File"), pdf());
    await user.click(upload());
    expect(await screen.findByText("Error uploading document: Please check the fields.")).toBeTruthy();
    expect(screen.getByText("This document has expired. Please upload a current one.")).toBeTruthy();
    expect(screen.getByText("a.pdf")).toBeTruthy();
    await user.click(upload());
    expect(await screen.findByText("Uploaded for review. You can add more or continue.")).toBeTruthy();
    expect(sentRequests("POST /api/onboarding/documents/files").map(({ route }) => route)).toEqual([
      "POST /api/onboarding/documents/files?name=a.pdf",
    ]);
    expect(sentRequests("POST /api/onboarding/documents")[1]?.body).toMatchObject({ file_id: "f1", file_url: "" });
  });

  it("shows the upload progress", async () => {
    let release: (() => void) | undefined;
    const checked = new Promise<void>((done) => (release = done));
    responses.set("POST /api/onboarding/documents/files", async () => {
      await checked;
      return { status: 201, body: { id: "f1", kind: "application/pdf", name: "a.pdf", size: 9 } };
    });
    responses.set("POST /api/onboarding/documents", { status: 201, body: PAPER });
    const send = vi.spyOn(XMLHttpRequest.prototype, "send");
    const user = await open();
    await user.selectOptions(screen.getByLabelText(/^Type/), "id");
    await user.upload(screen.getByLabelText("File"), pdf());
    await user.click(upload());
    await waitFor(() => expect(sentRequests("POST /api/onboarding/documents/files")).toHaveLength(1));
    expect(screen.queryByRole("progressbar")).toBeNull();
    // jsdom reports progress only with the response, so the test dispatches the events.
    const call = send.mock.contexts[0] as XMLHttpRequest;
    const dispatchProgress = (loaded: number) =>
      act(() => {
        call.upload.dispatchEvent(new ProgressEvent("progress", { lengthComputable: true, loaded, total: 9 }));
      });
    dispatchProgress(3);
    expect(screen.getByRole<HTMLProgressElement>("progressbar", { name: "Uploading a.pdf" }).value).toBe(33);
    dispatchProgress(9);
    expect(screen.getByRole<HTMLProgressElement>("progressbar", { name: "Checking a.pdf" }).value).toBe(100);
    release?.();
    expect(await screen.findByText("Uploaded for review. You can add more or continue.")).toBeTruthy();
    expect(screen.queryByRole("progressbar")).toBeNull();
  });

  it("rejects non-https links and large files before sending", async () => {
    const user = await open();
    await user.selectOptions(screen.getByLabelText(/^Type/), "id");
    await user.type(screen.getByLabelText(/^Or a link/), "javascript:alert(1)");
    await user.click(upload());
    expect(await screen.findByText("Enter a link that starts with https://")).toBeTruthy();
    await user.clear(screen.getByLabelText(/^Link/));
    const heavy = new File([new Uint8Array(10 * 1024 * 1024 + 1)], "a.pdf", { type: "application/pdf" });
    await user.upload(screen.getByLabelText("File"), heavy);
    expect(await screen.findByText("That file is too large. Please choose one up to 10 MB.")).toBeTruthy();
    expect(calls.filter(({ route }) => route.startsWith("POST"))).toEqual([]);
  });

  it("asks for a file or link and for what the type needs", async () => {
    const user = await open();
    await user.click(upload());
    expect(await screen.findByText("Please choose a type.")).toBeTruthy();
    expect(screen.getByText("Add a file or a link so we can review it.")).toBeTruthy();
    await user.selectOptions(screen.getByLabelText(/^Type/), "insurance");
    await user.click(upload());
    expect(await screen.findByText("Enter the organization that issued it.")).toBeTruthy();
    expect(screen.getByText("Enter the license or policy number.")).toBeTruthy();
    expect(screen.getByText("Enter the expiration date.")).toBeTruthy();
    await user.selectOptions(screen.getByLabelText(/^Type/), "id");
    await user.click(upload());
    await waitFor(() => expect(screen.queryByText("Enter the expiration date.")).toBeNull());
    expect(screen.getByText("Add a file or a link so we can review it.")).toBeTruthy();
    expect(calls.filter(({ route }) => route.startsWith("POST"))).toEqual([]);
  });

  it("shows a document without a file or link as incomplete", async () => {
    responses.set("GET /api/onboarding/documents", {
      body: { documents: [{ ...PAPER, file_url: "", status: "incomplete", reason: "", reviewed_at: null }] },
    });
    await open();
    expect(await screen.findByText("Incomplete")).toBeTruthy();
    expect(screen.getByText(/^There's no file or link/)).toBeTruthy();
    expect(screen.getByRole("button", { name: /^Upload again/ })).toBeTruthy();
  });

  it("starts with a required or rejected document", async () => {
    responses.set("GET /api/onboarding/documents", { body: { documents: [PAPER] } });
    const user = await open();
    await user.click(await screen.findByRole("button", { name: "License for Electrical" }));
    expect(screen.getByLabelText<HTMLSelectElement>(/^Category/).value).toBe("electrical");
    expect(await screen.findByText("Reason: Too blurred.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: /^Upload again/ }));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^Number/).value).toBe("EL-1"));
  });

  it("says what didn't load, and tries again", async () => {
    responses.set("GET /api/skills/categories", { status: 500 });
    const user = await open();
    expect(await screen.findByText("We couldn't load the categories.")).toBeTruthy();
    responses.set("GET /api/skills/categories", { body: [] });
    for (const button of screen.getAllByRole("button", { name: "Try again" })) await user.click(button);
    await waitFor(() => expect(screen.queryByText("We couldn't load the categories.")).toBeNull());
  });

  it("never links an invalid URL", async () => {
    responses.set("GET /api/onboarding/documents", {
      body: { documents: [{ ...PAPER, file_url: "javascript:alert(1)" }] },
    });
    await open();
    const link = await screen.findByRole("link", { name: /^View/ });
    expect(link.getAttribute("href")).toBe("#");
  });
});
