import { useQuery } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { onSettled } from "@/lib/on-settled";
import { Field, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { RiskReasons } from "@/components/ui/risk-badge";
import { toast } from "@/lib/toast-store";
import { DecisionForm, Options, StatusBadge, actorName } from "@/features/admin/contract";
import { Details, Facts } from "@/components/ui/details";
import styles from "@/components/ui/details.module.css";
import { riskReviewQuery } from "../api/get-risk-review";
import { useDecideRiskReview } from "../api/decide-risk-review";
import { RISK_LEVELS, RiskLevel } from "./risk-level";
import type { RiskDecision, RiskReviewDetail, RiskReviewRow } from "../lib/types";
import { formatRelativeTime } from "@porchlight/shared/format/dates";

/** The details of an activity unknown to the risk engine, and the decision about it. */
export function RiskDialog({ review, onClose }: { review: RiskReviewRow; onClose: () => void }) {
  const query = useQuery(riskReviewQuery(review.id));
  return (
    <Details title={review.activity || review.category} query={query} onClose={onClose}>
      {(data) => <Review review={data} />}
    </Details>
  );
}

function Review({ review }: { review: RiskReviewDetail }) {
  const canListSkills = useFlag("skillListing");
  const { level, risk, category, examples, requests } = review;
  return (
    <>
      <Facts
        facts={[
          ["Status", <StatusBadge key="status" status={level ? "decided" : "waiting"} />],
          ["Current risk", <RiskLevel key="risk" level={risk.rating} />],
          ["Category", category || "None"],
          ["Matching listings", String(review.listings)],
          ["Requests", review.seen === 1 ? "Once" : `${review.seen} times`],
          ["First requested", formatRelativeTime(review.firstSeenAt)],
          ["Last requested", formatRelativeTime(review.lastSeenAt)],
        ]}
      />
      <RiskReasons risk={risk} />
      {review.cut && (
        <Notice tone="warning">
          We only kept the beginning of this description, so it's always treated as at least medium risk.
        </Notice>
      )}
      {requests.length > 0 && (
        <section aria-label="Gurus who asked">
          <h3>Gurus who asked</h3>
          {requests.map(({ id, service, guru, subdomain, sentence, askedAt, answeredAt }) => (
            <blockquote key={id} className={styles.quote}>
              <p>{sentence}</p>
              <p>
                {guru} ({subdomain}) about the service {service}, {formatRelativeTime(askedAt)}
                {answeredAt && ". Answered."}
              </p>
            </blockquote>
          ))}
        </section>
      )}
      {examples.map(({ id, title, details }) => (
        <blockquote key={id} className={styles.quote}>
          {canListSkills ? <Link to={paths.listing.replace(":id", id)}>{title}</Link> : title}
          {details && <p>{details}</p>}
        </blockquote>
      ))}
      {level && (
        <>
          <Facts
            facts={[
              ["Decision", RISK_LEVELS[level]],
              [
                "Decided",
                review.decidedAt && `${formatRelativeTime(review.decidedAt)} by ${actorName(review.decidedBy)}`,
              ],
            ]}
          />
          {review.note && <blockquote className={styles.quote}>{review.note}</blockquote>}
        </>
      )}
      <Decide review={review} />
    </>
  );
}

function Decide({ review }: { review: RiskReviewDetail }) {
  const decide = useDecideRiskReview(review.id);
  const form = useForm<{ level: RiskDecision["level"] | ""; note: string }>({ defaultValues: { level: "", note: "" } });
  const { errors } = form.formState;

  const submit = form.handleSubmit(({ level, note }) => {
    if (level === "") return;
    onSettled(decide.mutateAsync({ level, note: note.trim(), replaces: review.level }), () => {
      form.reset();
      toast.success(`Saved: ${level} risk.`);
    });
  });

  return (
    <DecisionForm
      note={form.register("note")}
      maxNoteLength={1000}
      mutation={decide}
      submitLabel={review.level ? "Change rating" : "Save rating"}
      onSubmit={submit}
    >
      <Field
        label="Risk level"
        hint="This can't lower the rating of a category, of listing details, or of extreme risk."
        error={errors.level?.message}
      >
        <Select {...form.register("level", { required: "Please choose a level." })}>
          <option value="">Choose…</option>
          <Options labels={RISK_LEVELS} />
        </Select>
      </Field>
    </DecisionForm>
  );
}
