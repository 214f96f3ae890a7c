import { UserRoundPen } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { useProfile, type Profile } from "@/lib/session/get-profile";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import styles from "./profile.module.css";
import { formatList } from "@porchlight/shared/format/numbers";

function missingPartsOf(profile: Profile): string[] {
  const missingParts: [boolean, string][] = [
    [profile.photoURL === "", "a photo"],
    [profile.bio === "", "a few words about you"],
    [profile.location === "", "your city"],
    [profile.skills.offered.length === 0, "a skill you offer"],
  ];
  return missingParts.filter(([isMissing]) => isMissing).map(([, label]) => label);
}

/** A dashboard card: what the profile lacks; hidden once it is complete. */
export function ProfileCard() {
  const on = useFlag("userProfiles");
  const profile = useProfile();
  const missingParts = on && profile.data ? missingPartsOf(profile.data) : [];
  if (missingParts.length === 0) return null;
  return (
    <Card className={styles.todo}>
      <UserRoundPen size={22} aria-hidden="true" className={styles.todoIcon} />
      <div className={styles.names}>
        <h3 className={styles.todoTitle}>Finish your profile</h3>
        <p className={styles.hint}>Add {formatList(missingParts)} so neighbors can find you.</p>
      </div>
      <Button asChild variant="secondary" size="sm">
        <Link to={paths.profile}>Edit profile</Link>
      </Button>
    </Card>
  );
}
