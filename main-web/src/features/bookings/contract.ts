export { useOwnBookings } from "./api/get-own-bookings";
export { SLOTS_KEY, useNextSlots } from "./api/get-slots";
export { BackToBooking } from "./components/back-to-booking";
export { HeldTime } from "./components/held-time";
export { HeldTitle } from "./components/held-title";
export { NextSessionCard } from "./components/next-session-card";
export { AffectedBookings, BookedNotice } from "./guru/components/booked-notice";
export { Requests } from "./guru/components/requests";
export { bookingsKey } from "./guru/api/get-bookings";
