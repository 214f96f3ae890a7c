import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type CalendarSettings = Schemas["CalendarSettings"];
export type CalendarUpdate = Schemas["CalendarPayload"];
export type HoursRange = Schemas["HoursRange"];
export type HoursOfDate = Schemas["HoursOfDate"];
export type BlockedTime = Schemas["BlockedTime"];
export type StartReason = Schemas["StartReason"];
export type Slots = Schemas["SlotsResponse"];
export type BookedTimes = Schemas["BookedTimesData"];
export type BusySource = Schemas["BusySourceData"];
export type BusySourceList = Schemas["BusySourceList"];
export type NewBusySource = Schemas["BusySourcePayload"];
export type AccountCalendar = Schemas["AccountCalendar"];
