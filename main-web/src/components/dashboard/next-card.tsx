import { CalendarClock, MapPin } from "lucide-react";
import type { ReactNode } from "react";
import { Avatar } from "@/components/ui/avatar";
import { Card } from "@/components/ui/card";
import { TitleText } from "@/components/ui/title-text";
import styles from "./next-card.module.css";

type NextCardProps = {
  /** Whose face is shown. `photo` is "" without one. */
  name: string;
  photo: string;
  title: ReactNode;
  time: ReactNode;
  place?: ReactNode;
  badges?: ReactNode;
  children: ReactNode;
};

/** The next session: with whom, when, where; the children are the buttons. */
export function NextCard({ name, photo, title, time, place, badges, children }: NextCardProps) {
  return (
    <Card className={styles.next}>
      <Avatar name={name} src={photo} size="lg" />
      <div className={styles.text}>
        <h3 className={styles.name}>
          <TitleText>{title}</TitleText>
        </h3>
        <p className={styles.fact}>
          <CalendarClock size={18} aria-hidden="true" />
          <span>{time}</span>
        </p>
        {place && (
          <p className={styles.fact}>
            <MapPin size={18} aria-hidden="true" />
            <span>{place}</span>
          </p>
        )}
        {badges && <p className={styles.badges}>{badges}</p>}
      </div>
      <div className={styles.buttons}>{children}</div>
    </Card>
  );
}
