import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { apiServer } from "@/testing/api-server";
import { ADA, renderApp } from "@/testing/render-app";
import type { Exchange } from "../lib/types";
import { CONFIRMED, ENDED, RECORDED, SETTLED } from "./exchanges-fixtures";

const { calls, responses } = apiServer();
const PATH = `/api/exchanges/${CONFIRMED.id}`;
const PAGE = `/exchanges/${CONFIRMED.id}`;

const show = (data: Exchange) => responses.set(`GET ${PATH}`, { body: data });
const sent = () => calls.find(({ route }) => route.startsWith("PUT"));
const settle = (change: Partial<Exchange["time"]>, more: Partial<Exchange> = {}): Exchange => ({
  ...SETTLED,
  ...more,
  time: { ...SETTLED.time, ...change },
});

describe("the time of a session", () => {
  it("is recorded by its teacher, beginning with the agreed length", async () => {
    show(ENDED);
    const after = { ...RECORDED, side: "teacher" as const, time: { ...RECORDED.time, canAnswer: false } };
    responses.set(`PUT ${PATH}/time`, { body: after });
    renderApp(PAGE, ADA);
    const time = await screen.findByRole("region", { name: "Record the time" });
    const length = within(time).getByRole<HTMLSelectElement>("combobox", { name: "How long it took" });
    expect(length.value).toBe("60");
    await userEvent.selectOptions(length, "1 h 30 min");
    expect(within(time).getByText("You get 1 h 30 min.")).toBeTruthy();
    show(after);
    await userEvent.click(within(time).getByRole("button", { name: "Record" }));
    expect(await screen.findByText(/^Lea Learner can object until/)).toBeTruthy();
    expect(sent()?.body).toEqual({ minutes: 90, round: 0, words: "" });
  });

  it("keeps the chosen length when it is refused", async () => {
    show(ENDED);
    const message = "Your neighbor doesn't have enough hours left for this.";
    responses.set(`PUT ${PATH}/time`, { status: 409, body: { code: "hours_floor", message } });
    renderApp(PAGE, ADA);
    const length = await screen.findByRole<HTMLSelectElement>("combobox", { name: "How long it took" });
    await userEvent.selectOptions(length, "8 h");
    await userEvent.click(screen.getByRole("button", { name: "Record" }));
    expect(await screen.findByText(message)).toBeTruthy();
    expect(length.value).toBe("480");
  });

  it("is confirmed by the other side", async () => {
    show(RECORDED);
    responses.set(`PUT ${PATH}/settlement`, { body: SETTLED });
    renderApp(PAGE, ADA);
    const time = await screen.findByRole("region", { name: "Is this right?" });
    expect(within(time).getByText("1 h 30 min")).toBeTruthy();
    expect(within(time).getByText("1 h 30 min go from you to Lea Learner.")).toBeTruthy();
    show(SETTLED);
    await userEvent.click(within(time).getByRole("button", { name: "Confirm" }));
    expect(await screen.findByText(/^Settled: 1 h 30 min\./)).toBeTruthy();
    expect(sent()?.body).toEqual({ round: 1 });
  });

  it("is objected to with another length", async () => {
    show(RECORDED);
    responses.set(`PUT ${PATH}/time`, { body: RECORDED });
    renderApp(PAGE, ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Object" }));
    const dialog = await screen.findByRole("dialog", { name: "Object to this time" });
    await userEvent.type(within(dialog).getByRole("textbox", { name: /Words for Lea/ }), "You left early");
    await userEvent.selectOptions(within(dialog).getByRole("combobox"), "1 h 30 min");
    await userEvent.click(within(dialog).getByRole("button", { name: "Object" }));
    expect(await within(dialog).findByText(/^This is what Lea Learner recorded\./)).toBeTruthy();
    expect(sent()).toBeUndefined();
    await userEvent.selectOptions(within(dialog).getByRole("combobox"), "It didn't take place");
    expect(within(dialog).getByText("Nothing is entered.")).toBeTruthy();
    await userEvent.click(within(dialog).getByRole("button", { name: "Object" }));
    expect(await screen.findByText("Lea Learner has 72 hours to answer.")).toBeTruthy();
    expect(sent()?.body).toEqual({ minutes: 0, round: 1, words: "You left early" });
  });

  it("says that a third objection enters nothing", async () => {
    show({ ...RECORDED, time: { ...RECORDED.time, round: 3 } });
    renderApp(PAGE, ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Object" }));
    expect(await screen.findByText(/If you object now, nothing is entered/)).toBeTruthy();
    expect(screen.queryByRole("combobox")).toBeNull();
  });

  it("is taken back only if both want it", async () => {
    show(SETTLED);
    const asked = settle({ reversalBy: "learner" });
    responses.set(`PUT ${PATH}/reversal`, { body: asked });
    renderApp(PAGE, ADA);
    await userEvent.click(await screen.findByRole("button", { name: "Take it back" }));
    show(asked);
    await userEvent.click(await screen.findByRole("button", { name: "Ask to take it back" }));
    expect(await screen.findByText(/^You asked Lea Learner to take this back\./)).toBeTruthy();
    expect(sent()?.body).toEqual({ wanted: true, words: "" });
  });

  it("asks the other side whether it is taken back", async () => {
    show(settle({ reversalBy: "teacher" }));
    renderApp(PAGE, ADA);
    expect(await screen.findByText("Lea Learner would like to take this back.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Agree" })).toBeTruthy();
  });

  it.each([
    [{ state: "unsettled", round: 0 } as const, "The time was not settled, so nothing is entered."],
    [
      { state: "unsettled", round: 3 } as const,
      "You two named different times, so nothing is entered. A message may help.",
    ],
    [{ state: "reversed" } as const, "You both took this back. Nothing is entered."],
  ])("says how it ended: %o", async (change, text) => {
    show(settle({ ...change, canReverse: false }));
    renderApp(PAGE, ADA);
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it("is not recorded for a session that is paid directly", async () => {
    show({ ...ENDED, mode: "direct", time: { ...ENDED.time, canRecord: false } });
    renderApp(PAGE, ADA);
    expect(await screen.findByText("Paid directly")).toBeTruthy();
    expect(screen.queryByRole("region", { name: /time/i })).toBeNull();
  });
});
