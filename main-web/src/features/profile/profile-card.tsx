import { UserRoundPen } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { useFlag } from "../../kit/flags";
import { useProfile, type Profile } from "../../kit/session/profile";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import styles from "./profile.module.css";

function missing(profile: Profile): string[] {
  const wanting: [boolean, string][] = [
    [profile.photoURL === "", "a photo"],
    [profile.bio === "", "a few words about you"],
    [profile.location === "", "your city"],
    [profile.skills.offered.length === 0, "a skill you offer"],
  ];
  return wanting.filter(([wants]) => wants).map(([, what]) => what);
}

/** On the dashboard: what a profile still lacks; nothing once it lacks nothing. */
export function ProfileCard() {
  const on = useFlag("userProfiles");
  const profile = useProfile();
  const wanting = on && profile.data ? missing(profile.data) : [];
  if (wanting.length === 0) return null;
  return (
    <Card className={styles.todo}>
      <UserRoundPen size={22} aria-hidden="true" className={styles.todoIcon} />
      <div className={styles.names}>
        <h3 className={styles.todoTitle}>Finish your profile</h3>
        <p className={styles.hint}>
          Still missing: {new Intl.ListFormat("en-US").format(wanting)}. Neighbors write sooner to somebody they can picture.
        </p>
      </div>
      <Button asChild variant="secondary" size="sm">
        <Link to={paths.profile}>Edit profile</Link>
      </Button>
    </Card>
  );
}
