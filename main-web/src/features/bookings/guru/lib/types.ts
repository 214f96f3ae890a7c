import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type GuruBooking = Schemas["GuruBookingData"];
export type GuruBookingDetails = Schemas["GuruBookingDetails"];
export type GuruBookingList = Schemas["GuruBookingList"];
export type GuruRefund = Schemas["GuruRefundData"];
export type RefundPayload = Schemas["RefundPayload"];
export type RefundPreview = Schemas["RefundPreviewData"];
export type GuruDispute = Schemas["GuruDisputeData"];
export type GuruDisputeDetails = Schemas["GuruDisputeDetails"];
export type DisputeWords = Schemas["DisputeWordsPayload"];
export type SessionPlacePayload = Schemas["SessionPlacePayload"];
export type GuruWeek = Schemas["WeekData"];
export type GuruBusyTime = Schemas["BusyTimeData"];
export type GuruSession = Schemas["SessionData"];
