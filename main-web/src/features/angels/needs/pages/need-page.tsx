import { SearchX } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import { ProfileLink } from "@/components/profile-link";
import { paths } from "@/config/paths";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { TitleText } from "@/components/ui/title-text";
import styles from "../../components/angels.module.css";
import { useNeed } from "../api/get-need";
import type { Need, NeedData } from "../lib/types";
import { NeedPhotos } from "../components/need-photos";
import { FairPrice, NeedFacts, StatusBadge } from "../components/need-summary";
import { OfferSection } from "../components/offer-section";
import { OwnNeedSection } from "../components/own-need-section";
import { ApiError } from "@porchlight/shared/client";

/** A need: with its offers for the owner, with an offer form for others. */
export function NeedPage() {
  const { need: id = "" } = useParams();
  const needQuery = useNeed(id);
  const unknown = needQuery.error instanceof ApiError && needQuery.error.status === 404;
  return (
    <PageHead title={needQuery.data?.need.title ?? "Need"} description="Help a neighbor is looking for.">
      <div className={`container ${styles.page} ${styles.narrow}`} aria-busy={needQuery.isPending}>
        {needQuery.isPending && (
          <>
            <h1 className="visually-hidden">Need</h1>
            <Skeleton height="18rem" radius="md" />
          </>
        )}
        {unknown && (
          <>
            <h1 className={styles.title}>Need not found</h1>
            <EmptyState
              icon={SearchX}
              title="It may have been closed, or the link is wrong."
              action={
                <Button asChild variant="secondary" size="sm">
                  <Link to={paths.needs}>See what neighbors need</Link>
                </Button>
              }
            />
          </>
        )}
        {needQuery.isError && !unknown && !needQuery.data && (
          <>
            <h1 className={styles.title}>Need</h1>
            <ErrorState
              title="We couldn't load this need"
              message={needQuery.error.message}
              onRetry={() => void needQuery.refetch()}
              retrying={needQuery.isFetching}
            />
          </>
        )}
        {needQuery.data && !unknown && <Whole data={needQuery.data} />}
      </div>
    </PageHead>
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
        <h1 className={styles.title}>
          <TitleText>{need.title}</TitleText>
        </h1>
        <div className={styles.buttons}>
          <StatusBadge status={need.status} />
          <span className={styles.hint}>{need.serviceTitle}</span>
        </div>
      </header>
      <Card className={styles.form}>
        {!need.mine && <Owner need={need} />}
        {need.asked && (
          <p className={styles.hint}>
            {need.asksMe ? "This request was sent only to you." : `Sent only to ${need.asked.name}.`}
          </p>
        )}
        <p className={styles.userText}>{need.description}</p>
        <NeedPhotos need={need} />
        <NeedFacts need={need} />
        <FairPrice need={need} />
      </Card>
      {need.mine ? <OwnNeedSection data={data} /> : <OfferSection data={data} />}
    </>
  );
}

function Owner({ need }: { need: Need }) {
  const { neighbour: owner } = need;
  const name = owner?.name ?? "A neighbor";
  return (
    <p className={styles.person}>
      <Avatar name={name} src={owner?.photoURL} size="sm" />
      <span>{owner?.handle ? <ProfileLink handle={owner.handle}>{name}</ProfileLink> : name}</span>
    </p>
  );
}
