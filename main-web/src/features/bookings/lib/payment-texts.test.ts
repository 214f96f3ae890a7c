import { describe, expect, it } from "vitest";
import { bookingOf, heldOf, later, PAID, TERMS, TO_PAY } from "../pages/session-fixtures";
import {
  amountToPay,
  endedPaymentText,
  paidCancellationTerms,
  paidMissedTerms,
  paymentBadge,
  paymentDeadline,
  paymentStage,
  type Payment,
} from "./payment-texts";
import { cancelingNow, cancellationTerms, endedText, lateMoveTerms, priceText, statusBadge } from "./session-texts";
import type { OwnBooking } from "./types";

const bookingWith = (changes: object = {}) => bookingOf({ payment: PAID, ...changes }) as unknown as OwnBooking;
const held = (payment: object = {}, changes: object = {}) => heldOf(payment, changes) as unknown as OwnBooking;
const expired = (payment: object, endedBy: string) => held(payment, { status: "expired", endedBy, expiresAt: null });
const LATE = { ...TERMS, owedCents: 3750, lateCents: 3750, missedCents: 7500, freeUntil: null };

describe("where a payment stands", () => {
  it.each([
    ["opening", held({ state: "opening", url: "" })],
    ["payable", held()],
    ["failed", held({ state: "failed", url: "" })],
    ["closing", held({ url: "" })],
    ["unpaid", expired({ state: "expired", url: "" }, "system")],
    ["given_up", expired({ state: "canceled", url: "" }, "person")],
    ["refunded", expired({ ...PAID, refundedCents: 7500, isLate: true }, "system")],
    [null, expired({ ...PAID, refundedCents: 7500 }, "system")], // a request without an answer
    [null, bookingWith()],
    [null, bookingWith({ payment: null })],
  ])("%s", (stage, booking) => expect(paymentStage(booking)).toBe(stage));

  it("is on the badge", () => {
    expect(paymentBadge(held())).toBe("Waiting for your payment");
    expect(statusBadge(held()).label).toBe("Waiting for your payment");
    expect(statusBadge(expired({ state: "expired" }, "system")).label).toBe("Not booked");
    expect(statusBadge(expired({ ...PAID, refundedCents: 7500 }, "system")).label).toBe("No answer");
    expect(endedText(expired({ state: "expired" }, "system"))).toBe("");
  });

  it("counts the seconds that are left from when they were received", () => {
    expect(paymentDeadline(held(), 1000)).toBe(2_101_000);
    expect(paymentDeadline(bookingWith(), 1000)).toBeNull();
  });

  it("names what is paid at once", () => {
    expect(amountToPay(held())).toBe("$75.00");
    expect(amountToPay(held({ totalCents: 30_000 }, { seriesId: "b1" }))).toBe("$300.00 for your series");
  });
});

describe("what a paid session returns", () => {
  it("is all while canceling is free", () => {
    expect(cancelingNow(bookingWith())).toBe("You get $75.00 back.");
    expect(cancellationTerms(bookingWith({ terms: { ...TERMS, lateCents: 0 } }))).toBe(
      "Cancel anytime. You get $75.00 back.",
    );
    expect(cancellationTerms(bookingWith({ terms: { ...TERMS, freeUntil: later(48), lateCents: 3750 } }))).toMatch(
      /^Cancel until .+, and you get \$75\.00 back\. After that, you get \$37\.50 back\.$/,
    );
  });

  it("is a part afterwards", () => {
    const late = bookingWith({ terms: LATE, payment: { ...PAID, refundCents: 3750 } });
    const words = "ou get $37.50 back. $37.50 stays with Chef Guru by the terms of your booking.";
    expect(cancelingNow(late)).toBe(`Y${words}`);
    expect(cancellationTerms(late)).toBe(`If you cancel now: y${words}`);
    expect(lateMoveTerms(late)).toBe(` If you cancel after the move: y${words}`);
    expect(lateMoveTerms(bookingWith())).toBe("");
  });

  it("is nothing where all of it is owed, and the bank's to decide where it asks", () => {
    const terms = { ...LATE, owedCents: 7500 };
    const none = { ...PAID, refundCents: 0 };
    expect(cancelingNow(bookingWith({ terms, payment: none }))).toBe(
      "You get nothing back. $75.00 stays with Chef Guru by the terms of your booking.",
    );
    const asked = { ...none, disputed: true };
    expect(cancelingNow(bookingWith({ payment: asked }))).toMatch(/^Your bank is looking at this payment\./);
    expect(paidCancellationTerms(bookingWith(), asked)).toMatch(/^Your bank is looking at this payment\./);
  });

  it("is all of a request", () => {
    const request = bookingWith({ status: "requested", terms: LATE });
    expect(cancelingNow(request)).toBe("You get $75.00 back.");
    expect(cancellationTerms(request)).toBe("Withdraw it anytime. You get $75.00 back.");
  });

  it("is what is not owed when it was missed", () => {
    const of = (terms: typeof LATE, payment: Payment = PAID) =>
      paidMissedTerms({ terms, guruName: "Chef Guru" }, payment);
    expect(of(LATE)).toBe("If you don't come, you get nothing back.");
    expect(of({ ...LATE, missedCents: 3750 })).toBe("If you don't come, you get $37.50 back.");
    expect(of(LATE, { ...PAID, mode: "deposit", amountCents: 2500 })).toBe(
      "If you don't come, you get nothing back and owe $50.00 more, which you settle with Chef Guru.",
    );
  });

  it("is said after the session has ended", () => {
    const of = (refundedCents: number, owedCents: number) =>
      endedPaymentText({ guruName: "Chef Guru", owedCents }, { ...PAID, refundedCents });
    expect(of(7500, 0)).toBe("Refunded $75.00 to your card. It takes 5 to 10 days to show.");
    expect(of(3750, 3750)).toBe(
      "Refunded $37.50 to your card. It takes 5 to 10 days to show. $37.50 stays with Chef Guru by the terms of your booking.",
    );
    expect(of(0, 7500)).toBe("$75.00 stays with Chef Guru by the terms of your booking.");
    expect(of(0, 0)).toBe("$75.00 hasn't gone back to your card. Your orders show where it is.");
    const asked = { ...PAID, disputed: true };
    expect(endedPaymentText({ guruName: "Chef Guru", owedCents: 0 }, asked)).toMatch(
      /^Your bank is looking at this payment\./,
    );
    const decided = { ...PAID, bankReturnedCents: 7500 };
    expect(endedPaymentText({ guruName: "Chef Guru", owedCents: 0 }, decided)).toBe(
      "Your bank returned $75.00 to you.",
    );
  });

  it("follows how it was paid", () => {
    expect(priceText(bookingWith())).toBe("Paid $75.00 with Visa ending in 4242");
    expect(priceText(bookingWith({ payment: { ...PAID, card: "" } }))).toBe("Paid $75.00 by card");
    expect(priceText(bookingWith({ payment: TO_PAY }))).toBe("$75.00, pay by card");
  });
});
