import { maxLength, minLength, nullable, number, object, refine, string, trim, type infer as Infer } from "zod/mini";
import { centsOf, isoDay } from "./formats";

const LATEST = 60; // days from now, as the server has it

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** What a need says, as it is typed. */
export const needSchema = object({
  title: string().check(trim(), minLength(3, "Say in a few words what it is"), maxLength(120, "120 characters are enough")),
  description: string().check(trim(), minLength(1, "Describe what is to be done"), maxLength(2000, "2000 characters are enough")),
  service: string().check(minLength(1, "Choose what kind of help it is")),
  from: string().check(
    refine(isDay, "Choose a day"),
    refine((day) => !isDay(day) || day >= isoDay(0), "This day is over"),
  ),
  until: string().check(
    refine(isDay, "Choose a day"),
    refine((day) => !isDay(day) || day <= isoDay(LATEST), "Choose a day within the next 60 days"),
  ),
  note: string().check(maxLength(200, "200 characters are enough")),
  hours: string(),
  budget: string().check(
    refine((text) => {
      const cents = centsOf(text);
      return text.trim() === "" || (cents !== null && cents >= 100 && cents <= 1_000_000);
    }, "An amount in dollars, or nothing"),
  ),
  place: object({ text: string(), point: nullable(object({ latitude: number(), longitude: number() })) }).check(
    refine(({ text }) => text.trim() !== "", "Say roughly where it is"),
  ),
}).check(
  refine(({ from, until }) => !isDay(from) || !isDay(until) || from <= until, {
    path: ["until"],
    message: "This is before the first day",
  }),
);

export type NeedValues = Infer<typeof needSchema>;

export const HOURS = ["0.5", "1", "1.5", "2", "3", "4", "6", "8", "12", "16", "24", "40"] as const;
