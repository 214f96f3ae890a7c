import { z } from "zod";

/** What a document says, as the form keeps it: empty text where nothing was said. The server has the last word. */
export const documentSchema = z
  .object({
    type: z.enum(["license", "insurance", "auto", "cert", "id"], { error: "Please choose what it is." }),
    category: z.string(),
    provider: z.string().max(160, "Please use at most 160 characters."),
    number: z.string().max(80, "Please use at most 80 characters."),
    issued_on: z.string(),
    expires_on: z.string(),
    file_url: z
      .string()
      .trim()
      .max(2000, "Please use at most 2000 characters.")
      .refine((url) => url === "" || isHttps(url), "Please give a web address that begins with https://"),
  })
  .refine(({ issued_on, expires_on }) => !issued_on || !expires_on || issued_on <= expires_on, {
    path: ["expires_on"],
    message: "This is before the day it was issued.",
  });

export type DocumentForm = z.infer<typeof documentSchema>;

export const EMPTY: DocumentForm = {
  type: "" as DocumentForm["type"], // nothing is chosen for anybody
  category: "",
  provider: "",
  number: "",
  issued_on: "",
  expires_on: "",
  file_url: "",
};

function isHttps(url: string): boolean {
  try {
    return new URL(url).protocol === "https:";
  } catch {
    return false;
  }
}
