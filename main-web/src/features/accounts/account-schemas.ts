import { config, object, string, type infer as Infer } from "zod";

// zod compiles schemas with `new Function` where it may; our content security policy forbids even the attempt.
config({ jitless: true });

/** Something, one @, something with a dot: the identity service and the mail sent there decide the rest. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const password = string().min(1, "Password is required");

/** SPEC 5, Login. */
export const loginSchema = object({
  email: string().trim().min(1, "Email is required").regex(EMAIL, "Invalid email address"),
  password,
});

/** SPEC 5, Signup. The words differ from the login page's on purpose. */
export const signupSchema = object({
  firstName: string().trim().min(1, "First name is required"),
  lastName: string().trim().min(1, "Last name is required"),
  email: string().trim().min(1, "Email is required").regex(EMAIL, "Email is invalid"),
  password: password.min(6, "Password must be at least 6 characters"),
  confirmPassword: string(),
}).refine((form) => form.password === form.confirmPassword, {
  path: ["confirmPassword"],
  message: "Passwords do not match",
  // Shown together with the other refusals rather than after them.
  when: () => true,
});

export const resetSchema = object({
  email: string().trim().min(1, "Email is required").regex(EMAIL, "Invalid email address"),
});

export type LoginValues = Infer<typeof loginSchema>;
export type SignupValues = Infer<typeof signupSchema>;
export type ResetValues = Infer<typeof resetSchema>;
