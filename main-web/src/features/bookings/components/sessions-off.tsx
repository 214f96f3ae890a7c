import { CalendarDays } from "lucide-react";
import { Placeholder } from "@/components/layout/placeholder";

/** The placeholder while bookings are off, like the dashboard's. */
export function SessionsOff() {
  return (
    <Placeholder
      icon={CalendarDays}
      title="Sessions Coming Soon"
      description="Your sessions on Porchlight."
      text="The sessions you book will appear here soon."
    />
  );
}
