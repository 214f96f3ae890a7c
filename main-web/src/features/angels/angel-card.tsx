import { CalendarDays, MapPin, Star } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { Avatar } from "../../ui/avatar";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import styles from "./angels.module.css";
import { distance, dollars, weekdays } from "./formats";
import type { Angel } from "./get-service-angels";

/** A neighbour who helps: what they ask, when and how near, and a way to ask them. */
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
      {angel.about && <p className={styles.words}>{angel.about}</p>}
      <dl className={`${styles.facts} ${styles.bottom}`}>
        <div>
          <dt className="visually-hidden">Price</dt>
          <dd>
            <span className={styles.price}>{dollars(angel.rateCents)}/hr</span>
          </dd>
        </div>
        <div>
          <dt className="visually-hidden">Place</dt>
          <dd>
            <MapPin size={15} aria-hidden="true" />
            {angel.city}
            {angel.miles !== null && `, ${distance(angel.miles)}`}
          </dd>
        </div>
        <div>
          <dt className="visually-hidden">Days</dt>
          <dd>
            <CalendarDays size={15} aria-hidden="true" />
            {weekdays(angel.days)}
          </dd>
        </div>
      </dl>
      <div className={styles.buttons}>
        {angel.mine ? (
          <Badge tone="green">This is you</Badge>
        ) : (
          <Button asChild size="sm">
            <Link to={{ pathname: paths.postNeed, search: new URLSearchParams({ service, angel: angel.handle }).toString() }}>
              Ask {angel.name}
            </Link>
          </Button>
        )}
      </div>
    </Card>
  );
}

type RatingProps = { rating: number | null; ratings: number; jobs: number };

/** What others said of somebody's work, in a line. */
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
              {rating.toFixed(1)}
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
