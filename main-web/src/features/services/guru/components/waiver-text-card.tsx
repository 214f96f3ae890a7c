import { Field, TextArea } from "@/components/ui/field";
import { SectionCard } from "@/components/ui/section-card";
import { Hint } from "@/components/ui/hint";
import { DraftFooter } from "@/components/ui/draft-footer";
import type { Draft } from "@/lib/use-draft";
import type { OwnWaiverText } from "../lib/types";
import { formatLocalDate } from "@porchlight/shared/format/dates";

/** As the server counts: characters, not the units of UTF-16. */
export const MAX_WAIVER_TEXT_LENGTH = 1000;

type WaiverTextCardProps = { text: OwnWaiverText; draft: Draft<string> };

/** What the guru adds to the waivers of all services. Each change asks for a new waiver at the next booking. */
export function WaiverTextCard({ text, draft }: WaiverTextCardProps) {
  const length = Array.from(draft.typed.trim()).length;
  const isTooLong = length > MAX_WAIVER_TEXT_LENGTH;
  return (
    <SectionCard
      id="waiver-text"
      title="Your own waiver text"
      hint="Neighbors read it below our text and accept both. It's the same for all your services."
    >
      <Field
        label="What neighbors should know"
        optional
        hint={`${length} of ${MAX_WAIVER_TEXT_LENGTH} characters. No formatting.`}
        error={isTooLong ? `${MAX_WAIVER_TEXT_LENGTH} characters max` : undefined}
      >
        <TextArea rows={6} value={draft.typed} onChange={(event) => draft.change(event.target.value)} />
      </Field>
      <Hint>
        {text.updatedAt !== null && `Version ${text.revision}, from ${formatLocalDate(text.updatedAt)}. `}
        After a change, neighbors accept the waiver again at their next booking. Sessions already booked keep theirs.
      </Hint>
      <DraftFooter
        draft={draft}
        action="Save waiver text"
        changed="Your waiver text was"
        saved="Saved. Neighbors see it at their next booking."
        check={() => !isTooLong}
      />
    </SectionCard>
  );
}
