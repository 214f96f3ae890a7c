import { LocateFixed, Pencil, Plus, SearchX, Trash2 } from "lucide-react";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { generatePath, Link, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { OverLimitBadge, PlanUsage } from "@/features/billing/contract";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { ListingForm } from "../components/listing-form";
import styles from "../components/listings.module.css";
import { useUpdateArea } from "../api/update-area";
import { useDeleteWantedSkill } from "../api/delete-wanted-skill";
import { useMySkills, type MySkills } from "../api/get-my-skills";
import { useCreateListing } from "../api/create-listing";
import { useCreateWantedSkill } from "../api/create-wanted-skill";
import { useDeleteListing } from "../api/delete-listing";
import { PhotoEditor } from "../components/photo-editor";
import photoStyles from "../components/photos.module.css";
import { daysLabel, termsLabel } from "../lib/labels";

/** The skills the user teaches, with listings, and wants to learn. */
export function MySkillsPage() {
  const [params] = useSearchParams();
  const on = useFlag("skillListing");
  const mySkills = useMySkills();
  return (
    <PageHead title="My skills" description="What you teach and want to learn.">
      <div className={`container ${styles.page}`}>
        <header>
          <h1>My skills</h1>
          <p className={styles.soft}>We match you based on what you teach and want to learn.</p>
        </header>
        {!on ? (
          <EmptyState icon={SearchX} title="Listings are turned off right now">
            Your skills are still saved in your profile.
          </EmptyState>
        ) : mySkills.isError ? (
          <ErrorState
            title="We couldn't load your skills"
            message={mySkills.error.message}
            onRetry={() => void mySkills.refetch()}
            retrying={mySkills.isFetching}
          />
        ) : mySkills.isPending ? (
          <div aria-busy="true">
            <Skeleton height="12rem" radius="md" />
          </div>
        ) : (
          <div className={styles.columns}>
            <Offers skills={mySkills.data} suggested={params.get("offer") ?? ""} />
            <div className={styles.side}>
              <WantedSkills wants={mySkills.data.wants} />
              <Area city={mySkills.data.city} byArea={mySkills.data.byArea} />
            </div>
          </div>
        )}
      </div>
    </PageHead>
  );
}

function Offers({ skills, suggested }: { skills: MySkills; suggested: string }) {
  const { offers } = skills;
  const [open, setOpen] = useState<string | null>(null);
  const offer = useCreateListing();
  const withdraw = useDeleteListing();
  return (
    <Card as="section" className={styles.section}>
      <h2>I teach</h2>
      <PlanUsage {...skills.exchangeOffers} one="swap, hours or free offer" many="swap, hours or free offers" />
      <PlanUsage {...skills.pricedOffers} one="priced offer" many="priced offers" />
      <PlanUsage {...skills.workPhotos} one="photo" many="photos" />
      {withdraw.isError && <Notice tone="danger">{withdraw.error.message}</Notice>}
      <ul className={styles.skills}>
        {offers.map((skill) => (
          <li key={skill.id} className={styles.skill}>
            <div className={styles.skillHead}>
              {skill.photos[0] && (
                <img className={photoStyles.thumb} src={skill.photos[0].smallPath} alt="" loading="lazy" />
              )}
              <div className={styles.skillText}>
                <Link to={generatePath(paths.listing, { id: skill.id })}>{skill.title}</Link>{" "}
                {skill.level && <Badge>{skill.level}</Badge>} {skill.overLimit && <OverLimitBadge />}
                <p className={styles.soft}>
                  {termsLabel(skill)} · {daysLabel(skill.days)}
                </p>
              </div>
              <div className={styles.actions}>
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={`Edit ${skill.title}`}
                  aria-expanded={open === skill.id}
                  onClick={() => setOpen(open === skill.id ? null : skill.id)}
                >
                  <Pencil size={16} aria-hidden="true" />
                </Button>
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={`Remove ${skill.title}`}
                  disabled={withdraw.isPending}
                  onClick={() => withdraw.mutate(skill.id)}
                >
                  <Trash2 size={16} aria-hidden="true" />
                </Button>
              </div>
            </div>
            {open === skill.id && (
              <>
                <ListingForm listing={skill} onDone={() => setOpen(null)} />
                <PhotoEditor listing={skill} />
              </>
            )}
          </li>
        ))}
      </ul>
      {offers.length === 0 && (
        <p className={styles.soft}>Nothing yet. Everyone knows something a neighbor would love to learn.</p>
      )}
      <Add label="Add a skill you teach" initial={suggested} change={offer} />
    </Card>
  );
}

function WantedSkills({ wants }: { wants: { id: string; title: string }[] }) {
  const add = useCreateWantedSkill();
  const remove = useDeleteWantedSkill();
  return (
    <Card as="section" className={styles.section}>
      <h2>I want to learn</h2>
      {remove.isError && <Notice tone="danger">{remove.error.message}</Notice>}
      <ul className={styles.skills}>
        {wants.map((skill) => (
          <li key={skill.id} className={styles.skillHead}>
            {skill.title}
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Remove ${skill.title}`}
              disabled={remove.isPending}
              onClick={() => remove.mutate(skill.id)}
            >
              <Trash2 size={16} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
      {wants.length === 0 && <p className={styles.soft}>Nothing yet. Describe it in your own words.</p>}
      <Add label="Add a skill you want to learn" initial="" change={add} />
    </Card>
  );
}

type AddProps = { label: string; initial: string; change: ReturnType<typeof useCreateListing> };

function Add({ label, initial, change }: AddProps) {
  const form = useForm({ defaultValues: { title: initial } });
  const title = useWatch({ control: form.control, name: "title" });
  return (
    <form
      className={styles.add}
      onSubmit={(event) =>
        void form.handleSubmit((values) => {
          if (values.title.trim()) change.mutate(values.title.trim(), { onSuccess: () => form.reset({ title: "" }) });
        })(event)
      }
    >
      <Field label={label} error={change.error?.message}>
        <Input maxLength={60} {...form.register("title")} />
      </Field>
      <Button type="submit" variant="secondary" loading={change.isPending} disabled={!title.trim()}>
        <Plus size={16} aria-hidden="true" /> Add
      </Button>
    </form>
  );
}

function Area({ city, byArea }: { city: string; byArea: boolean }) {
  const area = useUpdateArea();
  const [isDenied, setIsDenied] = useState(false);
  const locate = () => {
    if (!("geolocation" in navigator)) {
      setIsDenied(true);
      return;
    }
    setIsDenied(false);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => area.mutate({ latitude: coords.latitude, longitude: coords.longitude }),
      () => setIsDenied(true),
      { timeout: 10_000 },
    );
  };
  return (
    <Card as="section" className={styles.section}>
      <h2>My area</h2>
      <p className={styles.soft}>
        {byArea
          ? "An area about a mile wide around your location. We don't store your exact location."
          : city
            ? `Near central ${city} (from your profile).`
            : "Not set. Add your city to your profile or use your location."}
      </p>
      {isDenied && (
        <Notice tone="danger">
          We couldn't get your location. <Link to={paths.profile}>Add your city to your profile</Link> instead.
        </Notice>
      )}
      {area.isError && <Notice tone="danger">{area.error.message}</Notice>}
      <div className={styles.actions}>
        <Button size="sm" variant="secondary" loading={area.isPending} onClick={locate}>
          <LocateFixed size={16} aria-hidden="true" /> Use my location
        </Button>
        {byArea && (
          <Button size="sm" variant="ghost" disabled={area.isPending} onClick={() => area.mutate(null)}>
            Use my city instead
          </Button>
        )}
      </div>
    </Card>
  );
}
