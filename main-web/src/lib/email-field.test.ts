import { object } from "zod/mini";
import { expect, test } from "vitest";
import { emailField } from "./email-field";

test("the field of a form says why email cannot reach an address", () => {
  const form = object({ email: emailField("Email is required", "Email is invalid") });
  const problem = (email: string) => form.safeParse({ email }).error?.issues.map(({ message }) => message);
  expect(problem(" ")).toEqual(["Email is required"]);
  expect(problem("ada@example")).toEqual(["Email is invalid"]);
  expect(problem("zoë@example.com")).toEqual([
    "We can't send email to an address with “ë” before the @. Please use another address.",
  ]);
  expect(form.safeParse({ email: " \u200bada@bücher.example\u200b" }).data).toEqual({ email: "ada@bücher.example" });
});
