import { z } from "zod";
import type { DocumentType } from "@/lib/document-labels";

type Detail = "provider" | "number" | "expires_on";

const POLICY_DETAILS: readonly Detail[] = ["provider", "number", "expires_on"];

/** The details that each type needs. An ID shows all that its review needs. */
export const REQUIRED_DETAILS: Readonly<Record<DocumentType, readonly Detail[]>> = {
  license: ["number"],
  insurance: POLICY_DETAILS,
  auto: POLICY_DETAILS,
  cert: ["provider"],
  id: [],
};

const MISSING_DETAILS: Readonly<Record<Detail, string>> = {
  provider: "Enter the organization that issued it.",
  number: "Enter the license or policy number.",
  expires_on: "Enter the expiration date.",
};

export const MISSING_FILE = "Add a file or a link so we can review it.";

/** The fields of the document form; empty strings for missing values. The server validates again. */
export const documentSchema = z
  .object({
    type: z.enum(["license", "insurance", "auto", "cert", "id"], { error: "Please choose a type." }),
    category: z.string(),
    provider: z.string().max(160, "160 characters max."),
    number: z.string().max(80, "80 characters max."),
    issued_on: z.string(),
    expires_on: z.string(),
    file_url: z
      .string()
      .trim()
      .max(2000, "2,000 characters max.")
      .refine((url) => url === "" || isHttps(url), "Enter a link that starts with https://"),
  })
  .refine(({ issued_on, expires_on }) => !issued_on || !expires_on || issued_on <= expires_on, {
    path: ["expires_on"],
    message: "The expiration date must be after the issue date.",
  })
  .superRefine((values, context) => {
    for (const name of REQUIRED_DETAILS[values.type])
      if (!values[name].trim()) context.addIssue({ code: "custom", path: [name], message: MISSING_DETAILS[name] });
  });

export type DocumentForm = z.infer<typeof documentSchema>;

export const EMPTY: DocumentForm = {
  type: "" as DocumentForm["type"], // No default.
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
