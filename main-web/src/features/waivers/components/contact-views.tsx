import { NotAllShown } from "@/components/not-all-shown";
import type { ContactView } from "../api/get-waivers";
import styles from "./waivers-page.module.css";
import { formatTimestamp } from "@porchlight/shared/format/dates";

/** Which gurus looked at the user's emergency contact, and when; nothing without any. */
export function ContactViews({ views, hasMore }: { views: ContactView[]; hasMore: boolean }) {
  if (views.length === 0) return null;
  return (
    <section aria-labelledby="contact-views" className={styles.section}>
      <h2 id="contact-views" className={styles.name}>
        Who viewed your emergency contact
      </h2>
      <ul className={styles.views}>
        {views.map(({ guruName, serviceName, at }, index) => (
          <li key={index}>
            {guruName}, for {serviceName}: {formatTimestamp(at)}
          </li>
        ))}
      </ul>
      {hasMore && <NotAllShown count={views.length} what="newest" />}
    </section>
  );
}
