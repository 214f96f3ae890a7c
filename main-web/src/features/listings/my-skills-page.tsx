import { LocateFixed, Pencil, Plus, SearchX, Trash2 } from "lucide-react";
import { useState } from "react";
import { generatePath, Link, useSearchParams } from "react-router-dom";
import { paths } from "../../app/paths";
import { useFlag } from "../../kit/flags";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Field, Input } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { EmptyState, ErrorState } from "../../ui/state";
import type { Listing } from "./get-listing";
import { ListingForm } from "./listing-form";
import styles from "./listings.module.css";
import { useArea, useDropWant, useMySkills, useOffer, useWant, useWithdraw } from "./my-skills";
import { PhotoEditor } from "./photo-editor";
import photoStyles from "./photos.module.css";
import { daysLabel, termsLabel } from "./words";

/** What I teach, with listings, and want to learn. */
export function MySkillsPage() {
  const [params] = useSearchParams();
  const on = useFlag("skillListing");
  const mine = useMySkills();
  return (
    <Page title="My skills" description="What you teach and want to learn.">
      <div className={`container ${styles.page}`}>
        <header>
          <h1>My skills</h1>
          <p className={styles.soft}>What you teach and want to learn decides whom we match you with.</p>
        </header>
        {!on ? (
          <EmptyState icon={SearchX} title="Listings are off for now">
            Your profile keeps your skills.
          </EmptyState>
        ) : mine.isError ? (
          <ErrorState
            title="Your skills are out of reach"
            message={mine.error.message}
            onRetry={() => void mine.refetch()}
            retrying={mine.isFetching}
          />
        ) : mine.isPending ? (
          <div aria-busy="true">
            <Skeleton height="12rem" radius="md" />
          </div>
        ) : (
          <div className={styles.columns}>
            <Offers offers={mine.data.offers} suggested={params.get("offer") ?? ""} />
            <div className={styles.side}>
              <Wants wants={mine.data.wants} />
              <Area city={mine.data.city} byArea={mine.data.byArea} />
            </div>
          </div>
        )}
      </div>
    </Page>
  );
}

function Offers({ offers, suggested }: { offers: Listing[]; suggested: string }) {
  const [open, setOpen] = useState<string | null>(null);
  const offer = useOffer();
  const withdraw = useWithdraw();
  return (
    <Card as="section" className={styles.section}>
      <h2>I teach</h2>
      {withdraw.isError && <Notice tone="danger">{withdraw.error.message}</Notice>}
      <ul className={styles.skills}>
        {offers.map((one) => (
          <li key={one.id} className={styles.skill}>
            <div className={styles.skillHead}>
              {one.photos[0] && <img className={photoStyles.thumb} src={one.photos[0].smallPath} alt="" loading="lazy" />}
              <div className={styles.skillText}>
                <Link to={generatePath(paths.listing, { id: one.id })}>{one.title}</Link>{" "}
                {one.level && <Badge>{one.level}</Badge>}
                <p className={styles.soft}>
                  {termsLabel(one)} · {daysLabel(one.days)}
                </p>
              </div>
              <div className={styles.actions}>
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={`Edit ${one.title}`}
                  aria-expanded={open === one.id}
                  onClick={() => setOpen(open === one.id ? null : one.id)}
                >
                  <Pencil size={16} aria-hidden="true" />
                </Button>
                <Button size="sm" variant="ghost" aria-label={`Remove ${one.title}`} onClick={() => withdraw.mutate(one.id)}>
                  <Trash2 size={16} aria-hidden="true" />
                </Button>
              </div>
            </div>
            {open === one.id && (
              <>
                <ListingForm listing={one} onDone={() => setOpen(null)} />
                <PhotoEditor listing={one} />
              </>
            )}
          </li>
        ))}
      </ul>
      {offers.length === 0 && <p className={styles.soft}>Nothing yet. Everybody knows something a neighbor would love to learn.</p>}
      <Add label="Another skill I teach" initial={suggested} change={offer} />
    </Card>
  );
}

function Wants({ wants }: { wants: { id: string; title: string }[] }) {
  const want = useWant();
  const drop = useDropWant();
  return (
    <Card as="section" className={styles.section}>
      <h2>I want to learn</h2>
      {drop.isError && <Notice tone="danger">{drop.error.message}</Notice>}
      <ul className={styles.skills}>
        {wants.map((one) => (
          <li key={one.id} className={styles.skillHead}>
            {one.title}
            <Button size="sm" variant="ghost" aria-label={`Remove ${one.title}`} onClick={() => drop.mutate(one.id)}>
              <Trash2 size={16} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
      {wants.length === 0 && <p className={styles.soft}>Nothing yet. Say it in your own words.</p>}
      <Add label="Something I want to learn" initial="" change={want} />
    </Card>
  );
}

type AddProps = { label: string; initial: string; change: ReturnType<typeof useOffer> };

function Add({ label, initial, change }: AddProps) {
  const [text, setText] = useState(initial);
  return (
    <form
      className={styles.add}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) change.mutate(text.trim(), { onSuccess: () => setText("") });
      }}
    >
      <Field label={label} error={change.error?.message}>
        <Input maxLength={60} value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <Button type="submit" variant="secondary" loading={change.isPending} disabled={!text.trim()}>
        <Plus size={16} aria-hidden="true" /> Add
      </Button>
    </form>
  );
}

function Area({ city, byArea }: { city: string; byArea: boolean }) {
  const area = useArea();
  const [refused, setRefused] = useState(false);
  const locate = () => {
    setRefused(false);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => area.mutate({ latitude: coords.latitude, longitude: coords.longitude }),
      () => setRefused(true),
      { timeout: 10_000 },
    );
  };
  return (
    <Card as="section" className={styles.section}>
      <h2>Where I am found</h2>
      <p className={styles.soft}>
        {byArea
          ? "Around the area you chose, a mile or so across. We never kept the exact spot."
          : city
            ? `Around the middle of ${city}, from your profile.`
            : "Nowhere yet: say your town in your profile, or use your area."}
      </p>
      {refused && <Notice tone="danger">Your browser did not tell us where you are.</Notice>}
      {area.isError && <Notice tone="danger">{area.error.message}</Notice>}
      <div className={styles.actions}>
        <Button size="sm" variant="secondary" loading={area.isPending} onClick={locate}>
          <LocateFixed size={16} aria-hidden="true" /> Use my area
        </Button>
        {byArea && (
          <Button size="sm" variant="ghost" onClick={() => area.mutate(null)}>
            Use my town instead
          </Button>
        )}
      </div>
    </Card>
  );
}
