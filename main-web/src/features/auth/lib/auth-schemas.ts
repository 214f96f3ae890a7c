import { config, minLength, object, refine, string, trim, type infer as Infer } from "zod/mini";
import { emailField } from "@/lib/email-field";

// zod compiles schemas with `new Function` where it can; our content security policy forbids it.
config({ jitless: true });

const required = (message: string) => string().check(trim(), minLength(1, message));
const email = (invalid: string) => emailField("Email is required", invalid);

/** SPEC 5, Login. */
export const loginSchema = object({
  email: email("Invalid email address"),
  password: string().check(minLength(1, "Password is required")),
});

/** SPEC 5, Signup. Its messages differ from the login page's. */
export const signupSchema = object({
  firstName: required("First name is required"),
  lastName: required("Last name is required"),
  email: email("Email is invalid"),
  password: string().check(
    minLength(1, { error: "Password is required", abort: true }),
    minLength(6, "Password must be at least 6 characters"),
  ),
  confirmPassword: string(),
}).check(
  refine((form) => form.password === form.confirmPassword, {
    path: ["confirmPassword"],
    error: "Passwords do not match",
    // Checked together with the other fields rather than after them.
    when: () => true,
  }),
);

export const newPasswordSchema = object({
  password: string().check(
    minLength(1, { error: "Password is required", abort: true }),
    minLength(6, "Password must be at least 6 characters"),
  ),
  confirmPassword: string(),
}).check(
  refine((form) => form.password === form.confirmPassword, {
    path: ["confirmPassword"],
    error: "Passwords do not match",
    when: () => true,
  }),
);

export const resetSchema = object({ email: email("Invalid email address") });

/** The address that gets a sign-in code. */
export const codeSchema = object({ email: email("Invalid email address") });

export type CodeValues = Infer<typeof codeSchema>;
export type LoginValues = Infer<typeof loginSchema>;
export type SignupValues = Infer<typeof signupSchema>;
export type ResetValues = Infer<typeof resetSchema>;
export type NewPasswordValues = Infer<typeof newPasswordSchema>;
