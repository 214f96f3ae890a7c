import { Mail } from "lucide-react";
import { paths } from "@/config/paths";
import { ComingSoon, type ComingSoonContent } from "@/components/layout/coming-soon";
import { PAGE_HEADS } from "../page-heads";
import { ContactForm } from "../components/contact-form";

const CONTENT: ComingSoonContent = {
  head: PAGE_HEADS[paths.contact],
  icon: Mail,
  lead: "More ways to reach us are coming soon. For now, send us a message.",
  features: [
    "Live chat during the day",
    "A call back at a time that works for you",
    "Press and partnership contacts",
    "The status of every request you've sent",
  ],
};

export function ContactPage() {
  return (
    <ComingSoon content={CONTENT}>
      <ContactForm heading="Send us a message" />
    </ComingSoon>
  );
}
