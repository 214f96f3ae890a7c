import { CalendarDays, MapPin, Star } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import styles from "./angels.module.css";
import { distanceLabel, weekdaysLabel } from "../lib/labels";
import type { Angel } from "../api/get-service-angels";
import { formatMoney } from "@porchlight/shared/format/money";
import { formatRating } from "@porchlight/shared/format/numbers";

/** An angel: price, availability, distanceLabel and a link to ask for help. */
export function AngelCard({ angel, service }: { angel: Angel; service: string }) {
  const title = `angel-${angel.handle}`;
  return (
    <Card as="li" className={styles.card} aria-labelledby={title}>
      <div className={styles.person}>
        <Avatar name={angel.name} src={angel.photoURL} />
        <div>
          <h2 id={title} className={styles.name}>
            <Link to={`/u/${angel.handle}`}>{angel.name}</Link>
          </h2>
          <Rating rating={angel.rating} ratings={angel.ratings} jobs={angel.jobs} />
        </div>
      </div>
      {angel.about && <p className={styles.userText}>{angel.about}</p>}
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

type RatingProps = { rating: number | null; ratings: number; jobs: number };

/** An angel's rating and number of jobs, in one line. */
export function Rating({ rating, ratings, jobs }: RatingProps) {
  return (
    <dl className={styles.facts}>
      <div className={styles.star}>
        <dt className="visually-hidden">Rating</dt>
        <dd>
          {rating === null ? (
            "New on Angel's List"
          ) : (
            <>
              <Star size={15} aria-hidden="true" />
              {formatRating(rating)}
              <span className="visually-hidden"> out of 5</span> ({ratings})
            </>
          )}
        </dd>
      </div>
      {jobs > 0 && (
        <div>
          <dt className="visually-hidden">Done</dt>
          <dd>
            {jobs} {jobs === 1 ? "job" : "jobs"} done
          </dd>
        </div>
      )}
    </dl>
  );
}
