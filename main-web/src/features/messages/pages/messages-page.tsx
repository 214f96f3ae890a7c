import { MessageCircle } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { Placeholder } from "@/components/layout/placeholder";
import { useMyGuru } from "@/features/console/contract";
import { MessagesFrame } from "../components/messages-frame";
import styles from "./messages-page.module.css";

// The console's page has the same parts: one file for both loads sooner.
export { MessagesPage as GuruMessagesPage } from "../guru/pages/messages-page";

/** A person's conversations. Those of their site, as a guru, are in the console. */
export function MessagesPage() {
  const guru = useMyGuru({ retryOnMount: false }).data;
  if (!useFlag("messaging"))
    return (
      <Placeholder
        icon={MessageCircle}
        title="Messages Coming Soon"
        description="Your conversations on Porchlight."
        text="Your conversations with neighbors and gurus will appear here soon."
      />
    );
  return (
    <MessagesFrame
      side="person"
      note={
        guru && (
          <Link to={paths.guruMessages} className={styles.note}>
            Messages to your site
          </Link>
        )
      }
    />
  );
}
