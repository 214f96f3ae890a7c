import { config, object, string, type infer as Infer } from "zod";

// zod compiles schemas with `new Function` where it may; our content security policy forbids even the attempt.
config({ jitless: true });

export const contactSchema = object({
  name: string().trim().min(1, "Please tell us your name").max(120, "That name is too long for us"),
  email: string()
    .trim()
    .min(1, "Please tell us where to answer")
    .max(254, "That is not a usable email address")
    .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "That is not a usable email address"),
  subject: string().trim().min(1, "Please give it a subject").max(160, "Please shorten the subject"),
  message: string().trim().min(1, "Please write a message").max(4000, "Please keep it under 4,000 characters"),
  website: string(),
});

export type ContactValues = Infer<typeof contactSchema>;
