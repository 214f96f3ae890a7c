import { describe, expect, it } from "vitest";
import { messagesPath, readRecipient } from "./recipients";

describe("readRecipient", () => {
  it("reads kind and id", () => {
    expect(readRecipient("profile:theo-barnes")).toEqual({ kind: "profile", id: "theo-barnes" });
    expect(readRecipient("match:a:b")).toEqual({ kind: "match", id: "a:b" });
  });

  it("refuses what names no one to write to", () => {
    for (const to of [null, "", "profile", "profile:", "staff:1", `guru:${"x".repeat(201)}`])
      expect(readRecipient(to)).toBeNull();
  });
});

it("messagesPath leads to a side's threads", () => {
  expect(messagesPath("person")).toBe("/messages");
  expect(messagesPath("guru", "t1")).toBe("/guru/messages/t1");
});
