/** The name of the person of a booking. It is erased when they delete their account. */
export const personName = (booking: { personName: string }) => booking.personName || "Former neighbor";
