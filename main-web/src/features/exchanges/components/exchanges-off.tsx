import { CalendarDays } from "lucide-react";
import { Placeholder } from "@/components/layout/placeholder";

/** The placeholder while sessions are off. */
export function ExchangesOff() {
  return (
    <Placeholder
      icon={CalendarDays}
      title="Sessions Coming Soon"
      description="Your sessions on Porchlight."
      text="Soon you can arrange sessions with your neighbors here."
    />
  );
}
