import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type Service = Schemas["ConsoleService"];
export type ServiceList = Schemas["ConsoleServiceList"];
export type ServicePayload = Schemas["ServicePayload"];
export type ServiceBooking = Schemas["ServiceBooking"];
export type ServiceBookingPayload = Schemas["ServiceBookingPayload"];
export type OwnWaiverText = Schemas["OwnText"];
export type BookingTerms = Schemas["BookingTerms"];
export type FixedStart = Schemas["FixedStart"];
export type ServiceRisk = components["schemas"]["ServiceRisk"];
