import { SearchX } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import { paths } from "../../app/paths";
import { Avatar } from "../../ui/avatar";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { EmptyState, ErrorState } from "../../ui/state";
import styles from "./angels.module.css";
import { useNeed, type Need, type NeedData } from "./get-needs";
import { NeedPhotos } from "./need-photos";
import { FairPrice, NeedFacts, StatusBadge } from "./need-summary";
import { OfferPart } from "./offer-part";
import { OwnNeed } from "./own-need";
import { ApiError } from "@porchlight/shared/client";

/** One need: for who has it with its offers, for others with a way to offer. */
export function NeedPage() {
  const { need: id = "" } = useParams();
  const found = useNeed(id);
  const unknown = found.error instanceof ApiError && found.error.status === 404;
  return (
    <Page title={found.data?.need.title ?? "A need"} description="What a neighbor needs a hand with.">
      <div className={`container ${styles.page} ${styles.narrow}`} aria-busy={found.isPending}>
        {found.isPending && (
          <>
            <h1 className="visually-hidden">A need</h1>
            <Skeleton height="18rem" radius="md" />
          </>
        )}
        {unknown && (
          <>
            <h1 className={styles.title}>No such need</h1>
            <EmptyState
              icon={SearchX}
              title="It is no longer open, or it never was."
              action={
                <Button asChild variant="secondary" size="sm">
                  <Link to={paths.needs}>See what neighbors need</Link>
                </Button>
              }
            />
          </>
        )}
        {found.isError && !unknown && !found.data && (
          <>
            <h1 className={styles.title}>A need</h1>
            <ErrorState
              title="This need is out of reach"
              message={found.error.message}
              onRetry={() => void found.refetch()}
              retrying={found.isFetching}
            />
          </>
        )}
        {found.data && !unknown && <Whole data={found.data} />}
      </div>
    </Page>
  );
}

function Whole({ data }: { data: NeedData }) {
  const { need } = data;
  return (
    <>
      <header className={styles.stack}>
        <p>
          <Link to={need.mine ? `${paths.needs}?tab=own` : paths.needs}>Needs</Link>
        </p>
        <h1 className={styles.title}>{need.title}</h1>
        <div className={styles.buttons}>
          <StatusBadge status={need.status} />
          <span className={styles.hint}>{need.serviceTitle}</span>
        </div>
      </header>
      <Card className={styles.form}>
        {!need.mine && <Neighbor need={need} />}
        {need.asked && (
          <p className={styles.hint}>
            {need.asksMe ? "You were asked by name: nobody else sees this." : `Asked of ${need.asked.name} alone.`}
          </p>
        )}
        <p className={styles.words}>{need.description}</p>
        <NeedPhotos need={need} />
        <NeedFacts need={need} />
        <FairPrice need={need} />
      </Card>
      {need.mine ? <OwnNeed data={data} /> : <OfferPart data={data} />}
    </>
  );
}

function Neighbor({ need }: { need: Need }) {
  const { neighbour } = need;
  const name = neighbour?.name ?? "A neighbor";
  return (
    <p className={styles.person}>
      <Avatar name={name} src={neighbour?.photoURL} size="sm" />
      <span>{neighbour?.handle ? <Link to={`/u/${neighbour.handle}`}>{name}</Link> : name}</span>
    </p>
  );
}
