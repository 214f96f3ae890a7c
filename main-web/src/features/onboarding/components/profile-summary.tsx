import { paths } from "@/config/paths";
import { Card } from "@/components/ui/card";
import { isUploadedPhoto } from "../lib/profile-schema";
import type { Status } from "../lib/types";
import { SummaryHeading } from "./summary-heading";
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
    <Card as="section" aria-labelledby="review-profile" className={styles.stack}>
      <SummaryHeading id="review-profile" to={paths.onboardingProfile}>
        Profile
      </SummaryHeading>
      {facts.length === 0 ? (
        <p className={styles.soft}>Nothing yet.</p>
      ) : (
        <dl className={styles.facts}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}
