import { LifeBuoy } from "lucide-react";
import { paths } from "@/config/paths";
import { ComingSoon, type ComingSoonContent } from "@/components/layout/coming-soon";
import { PAGE_HEADS } from "../page-heads";
import { ContactForm } from "../components/contact-form";

const CONTENT: ComingSoonContent = {
  head: PAGE_HEADS[paths.help],
  icon: LifeBuoy,
  lead: "Answers to common questions are coming soon. Until then, ask us directly.",
  features: [
    "Getting started, for learners and for gurus",
    "Booking, rescheduling and canceling a session",
    "Payments, payouts and refunds",
    "Waivers, documents and staying safe",
    "Search across all answers",
  ],
};

export function HelpPage() {
  return (
    <ComingSoon content={CONTENT}>
      <ContactForm heading="Ask a question" />
    </ComingSoon>
  );
}
