import { config, minLength, object, regex, refine, string, trim, type infer as Infer } from "zod/mini";

// zod compiles schemas with `new Function` where it may; our content security policy forbids even the attempt.
config({ jitless: true });

/** Something, one @, something with a dot: the identity service and the mail sent there decide the rest. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const required = (words: string) => string().check(trim(), minLength(1, words));
const email = (words: string) =>
  string().check(trim(), minLength(1, { error: "Email is required", abort: true }), regex(EMAIL, words));

/** SPEC 5, Login. */
export const loginSchema = object({
  email: email("Invalid email address"),
  password: string().check(minLength(1, "Password is required")),
});

/** SPEC 5, Signup. The words differ from the login page's on purpose. */
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
    // Shown together with the other refusals rather than after them.
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

export type LoginValues = Infer<typeof loginSchema>;
export type SignupValues = Infer<typeof signupSchema>;
export type ResetValues = Infer<typeof resetSchema>;
export type NewPasswordValues = Infer<typeof newPasswordSchema>;
