import { minLength, overwrite, refine, string } from "zod/mini";
import { emailProblem, trimEmail } from "@porchlight/shared/email-address";

/** A required email address that email can reach. `missing` and `invalid` are SPEC's texts of the form. */
export function emailField(missing: string, invalid: string) {
  return string().check(
    overwrite(trimEmail),
    minLength(1, { error: missing, abort: true }),
    refine((text) => emailProblem(text, invalid) === null, {
      error: (issue) => emailProblem(String(issue.input), invalid) ?? invalid,
    }),
  );
}
