import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type GuruBooking = Schemas["GuruBookingData"];
export type GuruBookingDetails = Schemas["GuruBookingDetails"];
export type GuruBookingList = Schemas["GuruBookingList"];
export type SessionPlacePayload = Schemas["SessionPlacePayload"];
export type GuruWeek = Schemas["WeekData"];
export type GuruBusyTime = Schemas["BusyTimeData"];
export type GuruSession = Schemas["SessionData"];
