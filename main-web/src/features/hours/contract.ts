export { BlockForm } from "./guru/components/block-form";
export { useCalendar } from "./guru/api/get-calendar";
export { useBlockActions } from "./guru/lib/use-block-actions";
export { startReasonQuery } from "./guru/api/explain-start";
export type { BookedTimes } from "./guru/lib/types";
