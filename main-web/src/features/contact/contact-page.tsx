import { Mail } from "lucide-react";
import { ComingSoon, type ComingSoonContent } from "../../ui/coming-soon";
import { ContactForm } from "./contact-form";

const CONTENT: ComingSoonContent = {
  title: "Contact Us",
  icon: Mail,
  lead: "More ways to reach us are on their way. The oldest one, a message, already works.",
  features: [
    "Live chat during the day",
    "A call back at a time that suits you",
    "Press and partnership contacts",
    "The state of every request you have sent",
  ],
};

export function ContactPage() {
  return (
    <ComingSoon content={CONTENT}>
      <ContactForm heading="Send us a message" />
    </ComingSoon>
  );
}
