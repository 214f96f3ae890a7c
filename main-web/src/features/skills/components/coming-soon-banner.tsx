import { Sparkles } from "lucide-react";
import styles from "./coming-soon-banner.module.css";

export function ComingSoonBanner() {
  return (
    <aside className={styles.banner} aria-labelledby="skills-coming-soon">
      <span className={styles.icon}>
        <Sparkles size={22} aria-hidden="true" />
      </span>
      <div>
        <h2 id="skills-coming-soon" className={styles.title}>
          Advanced features are coming soon
        </h2>
        <p className={styles.text}>Messages and reviews are coming to SkillShare soon.</p>
      </div>
    </aside>
  );
}
