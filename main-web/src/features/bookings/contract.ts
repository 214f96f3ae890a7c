export { useOwnBookings } from "./api/get-own-bookings";
export { SLOTS_KEY, useNextSlots } from "./api/get-slots";
export { AffectedBookings, BookedNotice } from "./guru/components/booked-notice";
export { HeldTime } from "./components/held-time";
