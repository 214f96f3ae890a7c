import { paths } from "@/config/paths";
import { isUploadedPhoto } from "../lib/profile-schema";
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
    ["Photo", isUploadedPhoto(profile.photoUrl) ? "Uploaded" : profile.photoUrl],
  ].filter(([, value]) => value !== "");
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
        </dl>
      )}
    </SummaryCard>
  );
}
