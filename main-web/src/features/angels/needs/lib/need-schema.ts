import { maxLength, minLength, nullable, number, object, refine, string, trim, type infer as Infer } from "zod/mini";
import { isoDateFromToday } from "@porchlight/shared/format/dates";
import { parseMoney } from "@porchlight/shared/format/money";

/** Characters of the title of a need. */
export const MAX_TITLE = 120;

/** The last day of a need, in days from today. The server has the same limit. */
export const LATEST_DAY = 60;

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** The fields of the need form, as typed. */
export const needSchema = object({
  title: string().check(
    trim(),
    minLength(3, "Enter a short title"),
    maxLength(MAX_TITLE, "Keep it under 120 characters"),
  ),
  description: string().check(
    trim(),
    minLength(1, "Describe what you need"),
    maxLength(2000, "Keep it under 2,000 characters"),
  ),
  service: string().check(minLength(1, "Choose the kind of help you need")),
  from: string().check(
    refine(isDay, "Choose a date"),
    refine((date) => !isDay(date) || date >= isoDateFromToday(0), "Pick a future date"),
  ),
  until: string().check(
    refine(isDay, "Choose a date"),
    refine((date) => !isDay(date) || date <= isoDateFromToday(LATEST_DAY), "Choose a date within the next 60 days"),
  ),
  note: string().check(maxLength(200, "Keep it under 200 characters")),
  hours: string(),
  budget: string().check(
    refine((text) => {
      const cents = parseMoney(text);
      return text.trim() === "" || (cents !== null && cents >= 100 && cents <= 1_000_000);
    }, "Enter an amount or leave it blank"),
  ),
  place: object({ text: string(), point: nullable(object({ latitude: number(), longitude: number() })) }).check(
    refine(({ text }) => text.trim() !== "", "Enter a city"),
  ),
}).check(
  refine(({ from, until }) => !isDay(from) || !isDay(until) || from <= until, {
    path: ["until"],
    message: "End date must be after the start",
  }),
);

export type NeedValues = Infer<typeof needSchema>;

/** The fields that are asked for first: what, where and when. */
export const FIRST_FIELDS = ["title", "place", "from", "until"] as const satisfies readonly (keyof NeedValues)[];

export const HOURS = ["0.5", "1", "1.5", "2", "3", "4", "6", "8", "12", "16", "24", "40"] as const;
