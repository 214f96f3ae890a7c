export { useCalendar } from "./guru/api/get-calendar";
export type { BookedTimes } from "./guru/lib/types";
