export { myGuruQuery, useMyGuru } from "./api/get-my-guru";
export { useConsole } from "./components/console-layout";
export { NotShownText } from "./components/not-shown-text";
export { Omissions } from "./components/omissions";
export { PreviewFrame } from "./components/preview-frame";
export { overviewQuery } from "./overview/api/get-overview";
export { useBookingsOverview } from "./overview/api/get-bookings-overview";
export { NextBookingCard } from "./overview/components/next-booking-card";
