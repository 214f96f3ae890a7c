import { paths } from "@/config/paths";
import { Avatar } from "@/components/ui/avatar";
import type { Status } from "../lib/types";
import { SummaryCard } from "./summary-card";
import styles from "./wizard.module.css";

/** What the profile says. */
export function ProfileSummary({ profile }: { profile: Status["profile"] }) {
  const facts = [
    ["Display Name", profile.displayName],
    ["City", profile.city],
    ["ZIP Code", profile.zip],
    ["Bio", profile.bio],
  ].filter(([, value]) => value !== "");
  const { displayName, photoUrl } = profile;
  return (
    <SummaryCard id="review-profile" title="Profile" to={paths.onboardingProfile} empty="Nothing yet.">
      {facts.length > 0 && (
        <dl className={styles.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          {photoUrl !== "" && (
            <div>
              <dt>Photo</dt>
              <dd>
                <Avatar name={displayName} src={photoUrl} size="lg" />
                <span className="visually-hidden">Your photo</span>
              </dd>
            </div>
          )}
        </dl>
      )}
    </SummaryCard>
  );
}
