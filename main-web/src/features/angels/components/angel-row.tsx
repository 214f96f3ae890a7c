import { CalendarDays, Clock, MapPin } from "lucide-react";
import { generatePath, Link } from "react-router-dom";
import { ProfileLink } from "@/components/profile-link";
import { useFlag } from "@/lib/feature-flags";
import { paths } from "@/config/paths";
import { LitBadge } from "@/features/porch-lights/contract";
import { Rating, Review } from "@/features/reviews/contract";
import { PremiumBadge } from "@/features/billing/contract";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ListRow, type Fact } from "@/components/ui/list-row";
import styles from "./angels.module.css";
import { distanceLabel, weekdaysLabel } from "../lib/labels";
import type { Angel } from "../api/get-service-angels";
import { formatAnswerTime } from "@porchlight/shared/format/answer-time";
import { formatMoney } from "@porchlight/shared/format/money";

/** An angel: reviews, price, availability, distance and a link to ask for help. */
export function AngelRow({ angel, service, lit }: { angel: Angel; service: string; lit: boolean }) {
  const title = `angel-${angel.handle}`;
  const hasProfiles = useFlag("userProfiles");
  const profile = generatePath(paths.publicProfile, { handle: angel.handle });
  return (
    <ListRow
      aria-labelledby={title}
      face={<Avatar name={angel.name} src={angel.photoURL} size="lg" />}
      heading={
        <h2 id={title}>
          <ProfileLink handle={angel.handle}>{angel.name}</ProfileLink>
        </h2>
      }
      badges={
        <>
          {lit && <LitBadge />}
          {angel.premium && <PremiumBadge />}
        </>
      }
      facts={factsOf(angel)}
      action={
        angel.mine ? (
          <Badge tone="good">This is you</Badge>
        ) : (
          <Button asChild size="sm">
            <Link
              to={{
                pathname: paths.postNeed,
                search: new URLSearchParams({ service, angel: angel.handle }).toString(),
              }}
            >
              <span>{`Ask ${angel.name}`}</span>
            </Link>
          </Button>
        )
      }
    >
      <Rating rating={angel.rating} ratings={angel.ratings} jobs={angel.jobs} />
      {angel.about && <p className={styles.userText}>{angel.about}</p>}
      {angel.review && <Review review={angel.review} />}
      {hasProfiles && angel.ratings > 1 && (
        <p>
          <Link to={{ pathname: profile, hash: "#reviews" }}>
            All reviews <span className="visually-hidden">of {angel.name}</span>
          </Link>
        </p>
      )}
    </ListRow>
  );
}

function factsOf(angel: Angel): Fact[] {
  const where = angel.miles === null ? angel.city : `${angel.city}, ${distanceLabel(angel.miles)}`;
  const facts: (Fact | false)[] = [
    { label: "Price", value: <strong>{formatMoney(angel.rateCents)}/hr</strong> },
    { label: "Place", value: where, icon: <MapPin size={15} aria-hidden="true" /> },
    angel.answerMinutes !== null && {
      label: "Answer time",
      value: formatAnswerTime(angel.answerMinutes),
      icon: <Clock size={15} aria-hidden="true" />,
    },
    { label: "Days", value: weekdaysLabel(angel.days), icon: <CalendarDays size={15} aria-hidden="true" /> },
  ];
  return facts.filter((fact) => fact !== false);
}
