import { describe, expect, test } from "vitest";
import { emailProblem, mailtoUrl, trimEmail } from "./email-address";

const INVALID = "Please enter a valid email address.";

describe("emailProblem", () => {
  test.each([
    "ada@example.com",
    "Ada.O'Neil+class_1-x@mail.example.co.uk",
    "ada@bücher.example",
    "ada@xn--bcher-kva.example",
    "ada@пример.рф",
    "ada@例え。example",
    " \u200bada@example.com\u200b\u00a0",
    `${"a".repeat(64)}@example.com`,
  ])("accepts %s", (text) => {
    expect(emailProblem(text, INVALID)).toBeNull();
  });

  test.each([
    "",
    "ada",
    "ada@",
    "@example.com",
    "ada@example",
    "ada@example.com.",
    "ada@@example.com",
    "ada @example.com",
    "ada@1.2.3.4",
    "ada@[1.2.3.4]",
    "ada@-a.com",
    "ada@a_b.com",
    ".ada@example.com",
    "ada..b@example.com",
    "ada@gmail,com",
    "Ada <ada@example.com>",
    "ada@gmail.com;bob@gmail.com",
    `${"a".repeat(65)}@example.com`,
    `ada@${"a.".repeat(130)}com`,
  ])("refuses %s", (text) => {
    expect(emailProblem(text, INVALID)).toBe(INVALID);
  });

  test.each([
    ["zoë@example.com", "ë"],
    ["дора@example.com", "д"],
    ["🍞@example.com", "🍞"],
  ])("names the letter that no server takes in %s", (text, letter) => {
    expect(emailProblem(text, INVALID)).toBe(
      `We can't send email to an address with “${letter}” before the @. Please use another address.`,
    );
  });

  test.each(["ada@localhost", "ada@mail.test", "ada@printer.LOCAL", "no-reply@example.com"])(
    "refuses %s, which never gets an answer",
    (text) => {
      expect(emailProblem(text, INVALID)).toBe(
        "Email to this address never arrives. Please use an address that you read.",
      );
    },
  );
});

test("trimEmail removes only what is around the address", () => {
  expect(trimEmail("\ufeff ada@example.com\u200b\n")).toBe("ada@example.com");
});

test.each([
  ["ada+class@example.com", "mailto:ada+class@example.com"],
  ["ada@bücher.example", "mailto:ada@xn--bcher-kva.example"],
  ["a?b&c@example.com", "mailto:a%3Fb%26c@example.com"],
])("mailtoUrl of %s", (address, url) => {
  expect(mailtoUrl(address)).toBe(url);
});
