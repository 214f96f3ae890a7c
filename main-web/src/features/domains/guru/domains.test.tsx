import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { MyGuru } from "@/features/console/lib/types";
import type { CustomDomain, MainAddress } from "./lib/types";
import { certificateText, statusText } from "./lib/domain-texts";

const { responses, calls } = apiServer();

const GURU: MyGuru = {
  label: "ada",
  status: "active",
  address: "https://ada.porchlight.test:8443",
  newLeads: 0,
  suspension: null,
};
const WAITING: CustomDomain = {
  domain: "www.ada.example",
  name: "www.ada.example",
  status: "waiting",
  outcome: null,
  found: "",
  checkedAt: null,
  failingSince: null,
  certificateUntil: null,
  isCertificateOverdue: false,
  isProvenByOperator: false,
  overLimit: false,
  records: [{ type: "CNAME", name: "www.ada.example", host: "www", value: "ada.porchlight.test" }],
  alternative: [
    { type: "ALIAS", name: "www.ada.example", host: "www", value: "ada.porchlight.test" },
    { type: "TXT", name: "_porchlight.www.ada.example", host: "_porchlight.www", value: "porchlight-site=token" },
  ],
};
const CONNECTED: CustomDomain = {
  ...WAITING,
  status: "connected",
  outcome: "ok",
  found: "ada.porchlight.test",
  checkedAt: "2026-11-20T09:00:00Z",
  certificateUntil: "2999-01-01T00:00:00Z",
};
const CHECK = "POST /api/guru/domains/www.ada.example/checks";

const SUBDOMAIN = "ada.porchlight.test";

/** The server's list; its main address is the first connected domain, unless another one is named. */
function setDomains(...domains: CustomDomain[]) {
  const domain = domains.find(({ status }) => status === "connected")?.domain ?? null;
  setList(domains, { domain, host: domain ?? SUBDOMAIN, subdomain: SUBDOMAIN });
}

const setList = (domains: CustomDomain[], mainAddress: MainAddress) =>
  responses.set("GET /api/guru/domains", { body: { domains, maxDomains: 2, mainAddress } });

beforeAll(
  () => Promise.all([import("@/features/console/components/console-layout"), import("./pages/domains-page")]),
  60_000,
);

beforeEach(() => {
  responses.set("GET /api/guru", { body: { guru: GURU } });
  setDomains(WAITING);
});

async function card(name = WAITING.domain) {
  return within(await screen.findByRole("region", { name }));
}

describe("the domains page", () => {
  it("lists the record to set, and copies its value", async () => {
    const user = userEvent.setup();
    renderApp("/guru/domains", ADA);
    const domain = await card();
    expect(domain.getByText("Waiting for DNS")).toBeTruthy();
    expect(within(domain.getByRole("list", { name: "Record for www.ada.example" })).getByText("CNAME")).toBeTruthy();
    await user.click(domain.getByRole("button", { name: "Copy the value of the CNAME record" }));
    expect(await domain.findByRole("button", { name: "Copied the value of the CNAME record" })).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe("ada.porchlight.test");
  });

  it("says so when the browser does not copy", async () => {
    const user = userEvent.setup();
    renderApp("/guru/domains", ADA);
    const domain = await card();
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("denied"));
    await user.click(domain.getByRole("button", { name: "Copy the value of the CNAME record" }));
    expect(await screen.findByText("Your browser didn't copy it. Select the text and copy it.")).toBeTruthy();
  });

  it("checks a domain now and shows that it is connected", async () => {
    responses.set(CHECK, () => {
      setDomains(CONNECTED);
      return { body: CONNECTED };
    });
    renderApp("/guru/domains", ADA);
    await userEvent.click((await card()).getByRole("button", { name: "Check now: www.ada.example" }));
    const domain = await card();
    expect(await domain.findByText("Connected")).toBeTruthy();
    expect(domain.getByText(/^Valid until Jan 1, 2999|^Valid until Dec 31, 2998/)).toBeTruthy();
    expect(domain.queryByRole("list", { name: "Record for www.ada.example" })).toBeNull();
    const link = domain.getByRole("link", { name: /Open www.ada.example/ });
    expect(link.getAttribute("href")).toBe("https://www.ada.example:8443/");
  });

  it.each([500, 429])("keeps the records when a check answers %d", async (status) => {
    responses.set(CHECK, { status, body: { code: "x", message: "No check right now." } });
    renderApp("/guru/domains", ADA);
    await userEvent.click((await card()).getByRole("button", { name: "Check now: www.ada.example" }));
    expect((await (await card()).findByRole("alert")).textContent).not.toBe("");
    expect((await card()).getByRole("list", { name: "Record for www.ada.example" })).toBeTruthy();
  });

  it("adds a domain", async () => {
    setDomains();
    responses.set("POST /api/guru/domains", () => {
      setDomains(WAITING);
      return { status: 201, body: WAITING };
    });
    renderApp("/guru/domains", ADA);
    expect(await screen.findByText("No domains yet")).toBeTruthy();
    await userEvent.type(screen.getByLabelText("Your domain"), " www.ada.example{Enter}");
    expect(await card()).toBeTruthy();
    expect(calls.find(({ route }) => route === "POST /api/guru/domains")?.body).toEqual({
      domain: "www.ada.example",
      withWww: true,
    });
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("Your domain").value).toBe(""));
  });

  it("keeps the typed domain when the server refuses it", async () => {
    const message = "This domain is connected to another site. If it's yours, contact us.";
    responses.set("POST /api/guru/domains", { status: 409, body: { code: "domain_taken", message } });
    renderApp("/guru/domains", ADA);
    const field = await screen.findByLabelText<HTMLInputElement>("Your domain");
    await userEvent.type(field, "www.taken.example{Enter}");
    expect(await screen.findByText(message)).toBeTruthy();
    expect(field.value).toBe("www.taken.example");
    expect(document.activeElement).toBe(field);
  });

  it("asks before it removes a domain, and moves focus to the title", async () => {
    responses.set("DELETE /api/guru/domains/www.ada.example", () => {
      setDomains();
      return {};
    });
    renderApp("/guru/domains", ADA);
    await userEvent.click((await card()).getByRole("button", { name: "Remove www.ada.example" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Remove www.ada.example?" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Remove domain" }));
    expect(await screen.findByText("No domains yet")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
  });

  it("keeps the domain when removing it fails", async () => {
    responses.set("DELETE /api/guru/domains/www.ada.example", { status: 500 });
    renderApp("/guru/domains", ADA);
    await userEvent.click((await card()).getByRole("button", { name: "Remove www.ada.example" }));
    const dialog = await screen.findByRole("alertdialog");
    await userEvent.click(within(dialog).getByRole("button", { name: "Remove domain" }));
    expect(await within(dialog).findByRole("alert")).toBeTruthy();
  });

  it("hides the form when the site has all its domains", async () => {
    setDomains(WAITING, { ...CONNECTED, domain: "ada.example", name: "ada.example" });
    renderApp("/guru/domains", ADA);
    expect(await screen.findByText(/as many as a site can have/)).toBeTruthy();
    expect(screen.queryByLabelText("Your domain")).toBeNull();
  });

  it("says that the list could not be loaded, and tries again", async () => {
    responses.set("GET /api/guru/domains", { status: 500 });
    renderApp("/guru/domains", ADA);
    expect(await screen.findByText("We couldn't load your domains")).toBeTruthy();
    setDomains(CONNECTED);
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect((await card()).getByText("Connected")).toBeTruthy();
  });
});

describe("the main address", () => {
  const MAIN = "PUT /api/guru/domains/main";

  it("is not asked for before a domain is connected", async () => {
    renderApp("/guru/domains", ADA);
    await card();
    expect(screen.queryByRole("group", { name: "Main address" })).toBeNull();
  });

  it("is saved, and focus stays on the button", async () => {
    setDomains(CONNECTED);
    responses.set(MAIN, () => {
      const subdomain = { domain: null, host: SUBDOMAIN, subdomain: SUBDOMAIN };
      setList([CONNECTED], subdomain);
      return { body: subdomain };
    });
    renderApp("/guru/domains", ADA);
    const group = within(await screen.findByRole("group", { name: "Main address" }));
    expect(group.getByRole<HTMLInputElement>("radio", { name: "www.ada.example" }).checked).toBe(true);
    await userEvent.click(group.getByRole("radio", { name: /^ada.porchlight.test/ }));
    const save = screen.getByRole<HTMLButtonElement>("button", { name: "Save main address" });
    await userEvent.click(save);
    expect(await screen.findByText("Main address saved.")).toBeTruthy();
    expect(calls.find(({ route }) => route === MAIN)?.body).toEqual({ domain: null });
    expect(group.getByRole<HTMLInputElement>("radio", { name: /^ada.porchlight.test/ }).checked).toBe(true);
    expect(document.activeElement).toBe(save);
  });

  it("keeps the choice and says why when it is not saved", async () => {
    setDomains(CONNECTED);
    responses.set(MAIN, { status: 409, body: { code: "domain_not_connected", message: "Not connected." } });
    renderApp("/guru/domains", ADA);
    const own = await screen.findByRole<HTMLInputElement>("radio", { name: /^ada.porchlight.test/ });
    await userEvent.click(own);
    await userEvent.click(screen.getByRole("button", { name: "Save main address" }));
    expect((await screen.findByRole("alert")).textContent).toContain("Not connected.");
    expect(own.checked).toBe(true);
  });

  it("says where visitors are sent while its domain does not work", async () => {
    setList([CONNECTED], { domain: CONNECTED.domain, host: SUBDOMAIN, subdomain: SUBDOMAIN });
    renderApp("/guru/domains", ADA);
    expect(await screen.findByText(/we send them to ada.porchlight.test/)).toBeTruthy();
  });
});

describe("the texts of a domain", () => {
  it.each([
    [{ outcome: "no_record" }, "We can't find a record for www.ada.example yet. DNS changes can take a few hours."],
    [{ outcome: "other_target", found: "shop.example" }, "www.ada.example points to shop.example. Change its record"],
    [{ outcome: "no_proof" }, "Add the TXT record below"],
    [{ outcome: "not_pointing" }, "It doesn't point here yet"],
    [{ outcome: "taken" }, "This domain is connected to another site. If it's yours, contact us."],
    [{ outcome: "dns_down" }, "DNS isn't responding right now."],
    [{ isProvenByOperator: true }, "Our team connected this domain."],
  ] as const)("say what %o means", (changes, text) => {
    expect(statusText({ ...WAITING, ...changes })).toContain(text);
  });

  it("name the day on which a failing domain is disconnected", () => {
    const failing = {
      ...WAITING,
      status: "failing",
      outcome: "no_record",
      failingSince: "2026-11-01T12:00:00Z",
    } as const;
    expect(statusText(failing)).toMatch(/Set the record below by Nov 8(, 2026)?, or we'll disconnect this domain/);
  });

  it("tell the state of the certificate", () => {
    expect(certificateText(WAITING)).toContain("as soon as the domain is connected");
    expect(certificateText({ ...CONNECTED, certificateUntil: null })).toContain("On its way");
    const overdue = { ...CONNECTED, certificateUntil: null, isCertificateOverdue: true } as const;
    expect(certificateText(overdue)).toContain("over an hour");
    expect(statusText(overdue)).toContain("can't open your site");
    expect(statusText({ ...CONNECTED, outcome: "mixed", found: "192.0.2.9" })).toContain("Remove that one");
    expect(statusText({ ...CONNECTED, outcome: "caa", found: "ada.example: digicert.com" })).toContain(
      "letsencrypt.org",
    );
    expect(statusText({ ...WAITING, outcome: "doubled", found: "a.b.b" })).toContain("adds the domain itself");
    expect(certificateText({ ...CONNECTED, certificateUntil: "2026-01-01T12:00:00Z" })).toContain("Expired on");
  });
});
