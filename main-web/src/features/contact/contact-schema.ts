import { config, maxLength, minLength, object, regex, string, trim, type infer as Infer } from "zod/mini";

// zod compiles schemas with `new Function` where it may; our content security policy forbids even the attempt.
config({ jitless: true });

const words = (missing: string, most: number, long: string) =>
  string().check(trim(), minLength(1, { error: missing, abort: true }), maxLength(most, { error: long, abort: true }));

export const contactSchema = object({
  name: words("Please tell us your name", 120, "That name is too long for us"),
  email: words("Please tell us where to answer", 254, "That is not a usable email address").check(
    regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "That is not a usable email address"),
  ),
  subject: words("Please give it a subject", 160, "Please shorten the subject"),
  message: words("Please write a message", 4000, "Please keep it under 4,000 characters"),
  website: string(),
});

export type ContactValues = Infer<typeof contactSchema>;
