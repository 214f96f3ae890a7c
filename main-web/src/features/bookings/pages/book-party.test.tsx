import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Hold } from "../lib/types";
import { BOOKING, HOLD as FREE_HOLD, TOKEN } from "./book-page-fixtures";

const { responses, calls } = apiServer();
const BOOK = "POST /api/bookings";
const WAIVER: Hold["waiver"] = {
  required: true,
  signed: false,
  level: "high",
  reasons: [],
  category: "culinary",
  validUntil: "2027-03-30T12:00:00Z",
  outdated: false,
  minors: [],
};
const HOLD: Hold = { ...FREE_HOLD, party: 2, waiver: WAIVER };

beforeEach(() => {
  sessionStorage.clear();
  responses.set(`GET /api/holds/${TOKEN}`, { body: HOLD });
});

const bookButton = () => screen.findByRole<HTMLButtonElement>("button", { name: /^Book for/ });

it("asks who takes part and books with a link for another adult", async () => {
  const link = { number: 2, name: "Theo Barnes", signer: "link", covered: false, waiverUntil: null, signedBy: "" };
  const people = [{ ...link, email: "theo@example.com", emailedAt: null, canSend: true }];
  const booked = { ...BOOKING, waiverLevel: "high", waiverDue: true, people };
  responses.set(BOOK, { status: 201, body: booked });
  responses.set("GET /api/bookings/b-1", { body: booked });
  renderApp(`/book/${TOKEN}`, ADA);
  const user = userEvent.setup();
  const book = await bookButton();
  await user.click(book);
  expect(await screen.findByText("Enter a name")).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByLabelText("Name of person 2"));
  expect(calls.some(({ route }) => route === BOOK)).toBe(false);
  await user.type(screen.getByLabelText("Name of person 2"), "Theo Barnes");
  await user.type(screen.getByLabelText(/^Email of person 2/), "theo@example.com");
  await user.click(book);
  expect(await screen.findByRole("heading", { name: "Who still has to sign" })).toBeTruthy();
  const [call] = calls.filter(({ route }) => route === BOOK);
  expect(call?.body).toMatchObject({
    participants: ["Ada Lovelace", "Theo Barnes"],
    signers: [
      { signer: "self", email: "" },
      { signer: "link", email: "theo@example.com" },
    ],
  });
});

it("needs a signature for each child, by name", async () => {
  renderApp(`/book/${TOKEN}`, ADA);
  const user = userEvent.setup();
  const book = await bookButton();
  await user.selectOptions(screen.getByLabelText("Person 2"), "guardian");
  expect(book.disabled).toBe(true);
  expect(screen.getByText("Please sign the waiver for each child first.")).toBeTruthy();
  await user.type(screen.getByLabelText("Name of the child 2"), "Mia Barnes");
  await user.click(screen.getByRole("button", { name: "Read and sign for Mia Barnes" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("You sign for Mia Barnes, as a parent or legal guardian.")).toBeTruthy();
  expect(dialog.queryByLabelText(/^The participant is 13 to 17/)).toBeNull();
});

it("keeps what was confirmed for one person out of the waiver of another", async () => {
  responses.set(`GET /api/holds/${TOKEN}`, { body: { ...HOLD, waiver: { ...WAIVER, validUntil: null } } });
  renderApp(`/book/${TOKEN}`, ADA);
  const user = userEvent.setup();
  const first = () => screen.getAllByRole<HTMLInputElement>("checkbox")[0];
  const open = (name: string) => user.click(screen.getByRole("button", { name }));
  await bookButton();
  await user.selectOptions(screen.getByLabelText("Person 2"), "guardian");
  await user.type(screen.getByLabelText("Name of the child 2"), "Mia Barnes");
  await open("Read and accept the waiver");
  await user.click(screen.getByLabelText("I have read and understood this waiver."));
  await open("Not now");
  await open("Read and sign for Mia Barnes");
  expect(first()?.checked).toBe(false);
  await open("Not now");
  await open("Read and accept the waiver");
  expect(first()?.checked).toBe(true);
});

it("says what is wrong with the people who take part", async () => {
  const message = "Two children have the same name. Please add a last name.";
  responses.set(BOOK, { status: 422, body: { code: "validation_failed", fields: { participants: message } } });
  renderApp(`/book/${TOKEN}`, ADA);
  const user = userEvent.setup();
  await bookButton();
  await user.type(screen.getByLabelText("Name of person 2"), "Theo Barnes");
  await user.click(await bookButton());
  expect(await within(screen.getByRole("group", { name: /people who take part/ })).findByText(message)).toBeTruthy();
});

it("accepts the signature for a child whose name is spelled differently", async () => {
  const minors = [{ name: "José Núñez", validUntil: "2027-03-30T12:00:00Z" }];
  responses.set(`GET /api/holds/${TOKEN}`, { body: { ...HOLD, party: 1, waiver: { ...WAIVER, minors } } });
  renderApp(`/book/${TOKEN}`, ADA);
  const user = userEvent.setup();
  const book = await bookButton();
  await user.selectOptions(screen.getByLabelText("Person"), "guardian");
  await user.type(screen.getByLabelText("Name of the child"), "jose  nunez");
  expect(await screen.findByText("The waiver for jose nunez is signed.")).toBeTruthy();
  expect(book.disabled).toBe(false);
});
