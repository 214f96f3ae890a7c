import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { afterwards } from "../../kit/afterwards";
import { Field, Select } from "../../ui/field";
import { formatAgo } from "../../ui/format-date";
import { Notice } from "../../ui/notice";
import { RiskReasons } from "../../ui/risk-mark";
import { toast } from "../../ui/toast-store";
import { DecisionForm, Options } from "./decision-form";
import { Details, Facts } from "./details";
import styles from "./details.module.css";
import { riskReviewQuery } from "./get-risk-review";
import { useDecideRisk } from "./put-risk-decision";
import { RISK_LEVELS, RiskLevel } from "./risk-level";
import { StatusBadge } from "./status-badge";
import type { RiskDecision, RiskReviewDetail, RiskReviewRow } from "./types";

/** Everything about an activity that the risk engine does not know, and the decision on it. */
export function RiskDialog({ review, onClose }: { review: RiskReviewRow; onClose: () => void }) {
  const query = useQuery(riskReviewQuery(review.id));
  return (
    <Details title={review.activity || review.category} query={query} onClose={onClose}>
      {(found) => <Review review={found} />}
    </Details>
  );
}

function Review({ review }: { review: RiskReviewDetail }) {
  const { level, risk, category, examples } = review;
  return (
    <>
      <Facts
        facts={[
          ["Status", <StatusBadge key="status" status={level ? "decided" : "waiting"} />],
          ["Counts as", <RiskLevel key="risk" level={risk.rating} />],
          ["Category", category || "None"],
          ["Listings called so", String(review.listings)],
          ["Asked about", review.seen === 1 ? "Once" : `${review.seen} times`],
          ["First asked", formatAgo(review.firstSeenAt)],
          ["Last asked", formatAgo(review.lastSeenAt)],
        ]}
      />
      <RiskReasons risk={risk} />
      {review.cut && (
        <Notice tone="lamp">Only the beginning of this description was kept, so it never counts as less than medium risk.</Notice>
      )}
      {examples.map(({ id, title, details }) => (
        <blockquote key={id} className={styles.quote}>
          <Link to={paths.listing.replace(":id", id)}>{title}</Link>
          {details && <p>{details}</p>}
        </blockquote>
      ))}
      {level && (
        <>
          <Facts
            facts={[
              ["Decision", RISK_LEVELS[level]],
              ["Decided", review.decidedAt && `${formatAgo(review.decidedAt)} by ${review.decidedBy}`],
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
  const decide = useDecideRisk(review.id);
  const [level, setLevel] = useState<RiskDecision["level"] | "">("");
  const [note, setNote] = useState("");
  const [missing, setMissing] = useState(false);

  function submit() {
    setMissing(level === "");
    if (level === "") return;
    afterwards(decide.mutateAsync({ level, note: note.trim(), replaces: review.level }), () => {
      setLevel("");
      setNote("");
      toast.success(`It is decided: ${level} risk.`);
    });
  }

  return (
    <DecisionForm
      note={note}
      onNote={setNote}
      longest={1000}
      change={decide}
      act={review.level ? "Change the decision" : "Decide"}
      onSubmit={submit}
    >
      <Field
        label="How risky it is"
        hint="What words or a category prove is never lowered by it."
        error={missing && level === "" ? "Please choose a level." : undefined}
      >
        <Select value={level} onChange={(event) => setLevel(event.target.value as typeof level)}>
          <option value="">Choose…</option>
          <Options words={RISK_LEVELS} />
        </Select>
      </Field>
    </DecisionForm>
  );
}
