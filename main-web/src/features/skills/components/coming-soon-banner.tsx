import { Sparkles } from "lucide-react";
import { useFlag } from "@/lib/feature-flags";
import styles from "./coming-soon-banner.module.css";

/** The banner below the cards (SPEC 2.8): which advanced features are still switched off. Nothing when all are on. */
export function ComingSoonBanner() {
  const hasMessages = useFlag("messaging");
  const hasReviews = useFlag("reviews");
  if (hasMessages && hasReviews) return null;
  const missing = hasMessages ? "Reviews" : hasReviews ? "Messages" : "Messages and reviews";
  return (
    <aside className={styles.banner} aria-labelledby="skills-coming-soon">
      <span className={styles.icon}>
        <Sparkles size={22} aria-hidden="true" />
      </span>
      <div>
        <h2 id="skills-coming-soon" className={styles.title}>
          Advanced features are coming soon
        </h2>
        <p className={styles.text}>{missing} are coming to SkillShare soon.</p>
      </div>
    </aside>
  );
}
