import { config, maxLength, minLength, object, string, trim, type infer as Infer } from "zod/mini";
import { emailField } from "@/lib/email-field";

// zod compiles schemas with `new Function` where it can; our content security policy forbids it.
config({ jitless: true });

const textField = (missing: string, max: number, long: string) =>
  string().check(trim(), minLength(1, { error: missing, abort: true }), maxLength(max, { error: long, abort: true }));

export const contactSchema = object({
  name: textField("Please tell us your name", 120, "That name is too long"),
  email: emailField("Please enter your email address", "Please enter a valid email address"),
  subject: textField("Please enter a subject", 160, "Please use a shorter subject"),
  message: textField("Please write a message", 4000, "4,000 characters max"),
  website: string(),
});

export type ContactValues = Infer<typeof contactSchema>;
