import { useId, useState, type SyntheticEvent } from "react";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { Hint } from "@/components/ui/hint";
import { Notice } from "@/components/ui/notice";
import { OwnRiskBadge, RiskReasons } from "@/components/ui/risk-badge";
import { SectionCard } from "@/components/ui/section-card";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { useServiceRisk } from "../api/get-service-risk";
import { useRequestServiceReview } from "../api/request-service-review";
import type { ServiceRisk } from "../lib/types";
import { formatRelativeTime } from "@porchlight/shared/format/dates";

const MAX_SENTENCE = 300;

/** How we rate the risk of a service, and why. The guru can ask for a review. */
export function ServiceRiskCard({ serviceId }: { serviceId: string }) {
  const query = useServiceRisk(serviceId);
  return (
    <SectionCard id="service-risk" title="Our rating" hint="Only a high rating is shown to neighbors.">
      {query.data ? (
        <Rating serviceId={serviceId} {...query.data} />
      ) : query.isError ? (
        <ErrorState
          title="We couldn't load the rating"
          message={query.error.message}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      ) : (
        <Skeleton height="4rem" radius="md" />
      )}
    </SectionCard>
  );
}

function Rating({ serviceId, risk, ownRating, review, canAsk }: ServiceRisk & { serviceId: string }) {
  return (
    <>
      <div>
        <OwnRiskBadge risk={risk} />
      </div>
      <RiskReasons risk={risk} />
      {ownRating && ownRating !== risk.rating && <Hint>You rated it {ownRating} risk, and that counts.</Hint>}
      {review && (
        <Notice tone="info">
          {review.answeredAt
            ? `Our team answered ${formatRelativeTime(review.answeredAt)}: ${review.level} risk.`
            : `You asked ${formatRelativeTime(review.askedAt)}. We'll email you what we find.`}
        </Notice>
      )}
      {canAsk && <ReviewForm serviceId={serviceId} />}
    </>
  );
}

function ReviewForm({ serviceId }: { serviceId: string }) {
  const formId = useId();
  const request = useRequestServiceReview(serviceId);
  const [isOpen, setOpen] = useState(false);
  const [sentence, setSentence] = useState("");
  const [isChecked, setChecked] = useState(false);
  const length = Array.from(sentence.trim()).length;
  const error = length === 0 ? "Tell us in a sentence" : length > MAX_SENTENCE ? "300 characters max" : undefined;

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    setChecked(true);
    if (!error) request.mutate(sentence.trim().replace(/\s+/g, " "));
  }

  if (!isOpen) {
    return (
      <div>
        <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
          Ask for a review
        </Button>
      </div>
    );
  }
  return (
    <form id={formId} onSubmit={submit} noValidate>
      <Field
        label="What should we know?"
        hint="One sentence about how you do it. For example: no partner, only footwork."
        error={isChecked ? error : undefined}
      >
        <TextArea rows={2} value={sentence} onChange={(event) => setSentence(event.target.value)} />
      </Field>
      {request.isError && <Notice tone="danger">{request.error.message}</Notice>}
      <Button type="submit" size="sm" loading={request.isPending}>
        Send to our team
      </Button>
      <UnsavedGuard unsaved={sentence.trim() !== "" && !request.isSuccess} />
    </form>
  );
}
