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
import { Card } from "@/components/ui/card";
import styles from "./angels.module.css";
import { distanceLabel, weekdaysLabel } from "../lib/labels";
import type { Angel } from "../api/get-service-angels";
import { formatAnswerTime } from "@porchlight/shared/format/answer-time";
import { formatMoney } from "@porchlight/shared/format/money";

/** An angel: reviews, price, availability, distance and a link to ask for help. */
export function AngelCard({ angel, service, lit }: { angel: Angel; service: string; lit: boolean }) {
  const title = `angel-${angel.handle}`;
  const hasProfiles = useFlag("userProfiles");
  const profile = generatePath(paths.publicProfile, { handle: angel.handle });
  return (
    <Card as="li" className={styles.card} aria-labelledby={title}>
      <div className={styles.person}>
        <Avatar name={angel.name} src={angel.photoURL} />
        <div>
          <h2 id={title} className={styles.name}>
            <ProfileLink handle={angel.handle}>{angel.name}</ProfileLink>
          </h2>
          <Rating rating={angel.rating} ratings={angel.ratings} jobs={angel.jobs} />
          {lit && <LitBadge />}
          {angel.premium && <PremiumBadge />}
        </div>
      </div>
      {angel.about && <p className={styles.userText}>{angel.about}</p>}
      {angel.review && <Review review={angel.review} />}
      {hasProfiles && angel.ratings > 1 && (
        <p className={styles.hint}>
          <Link to={{ pathname: profile, hash: "#reviews" }}>
            All reviews <span className="visually-hidden">of {angel.name}</span>
          </Link>
        </p>
      )}
      <dl className={`${styles.facts} ${styles.bottom}`}>
        <div>
          <dt className="visually-hidden">Price</dt>
          <dd>
            <span className={styles.price}>{formatMoney(angel.rateCents)}/hr</span>
          </dd>
        </div>
        <div>
          <dt className="visually-hidden">Place</dt>
          <dd>
            <MapPin size={15} aria-hidden="true" />
            {angel.city}
            {angel.miles !== null && `, ${distanceLabel(angel.miles)}`}
          </dd>
        </div>
        {angel.answerMinutes !== null && (
          <div>
            <dt className="visually-hidden">Answer time</dt>
            <dd>
              <Clock size={15} aria-hidden="true" />
              {formatAnswerTime(angel.answerMinutes)}
            </dd>
          </div>
        )}
        <div>
          <dt className="visually-hidden">Days</dt>
          <dd>
            <CalendarDays size={15} aria-hidden="true" />
            {weekdaysLabel(angel.days)}
          </dd>
        </div>
      </dl>
      <div className={styles.buttons}>
        {angel.mine ? (
          <Badge tone="green">This is you</Badge>
        ) : (
          <Button asChild size="sm">
            <Link
              to={{
                pathname: paths.postNeed,
                search: new URLSearchParams({ service, angel: angel.handle }).toString(),
              }}
            >
              Ask {angel.name}
            </Link>
          </Button>
        )}
      </div>
    </Card>
  );
}
