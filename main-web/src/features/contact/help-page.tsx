import { LifeBuoy } from "lucide-react";
import { ComingSoon, type ComingSoonContent } from "../../ui/coming-soon";
import { ContactForm } from "./contact-form";

const CONTENT: ComingSoonContent = {
  title: "Help Center",
  icon: LifeBuoy,
  lead: "Answers to what neighbors ask most. Until they are written down, ask us directly.",
  features: [
    "Getting started, for learners and for gurus",
    "Booking, moving and cancelling a session",
    "Payments, payouts and refunds",
    "Waivers, documents and staying safe",
    "Search over every answer",
  ],
};

export function HelpPage() {
  return (
    <ComingSoon content={CONTENT}>
      <ContactForm heading="Ask a question" />
    </ComingSoon>
  );
}
