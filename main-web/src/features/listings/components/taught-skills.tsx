import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { OverLimitBadge, PlanUsage } from "@/features/billing/contract";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { useCreateListing } from "../api/create-listing";
import { useDeleteListing } from "../api/delete-listing";
import type { MySkills } from "../api/get-my-skills";
import { daysLabel, termsLabel } from "../lib/labels";
import { AddSkillForm } from "./add-skill-form";
import { ListingForm } from "./listing-form";
import styles from "./listings.module.css";
import { PhotoEditor } from "./photo-editor";
import photoStyles from "./photos.module.css";

type TaughtSkillsProps = {
  skills: MySkills;
  /** A skill to add, as a link to the page names it. */
  suggested: string;
};

/** The skills that the user teaches, each with its listing. */
export function TaughtSkills({ skills, suggested }: TaughtSkillsProps) {
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
      <AddSkillForm label="Add a skill you teach" initial={suggested} change={offer} />
    </Card>
  );
}
