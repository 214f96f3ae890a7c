import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { ReviewForm, useReviewDraft } from "@/features/reviews/contract";
import styles from "../../components/angels.module.css";
import { useCompleteNeed } from "../api/complete-need";
import type { Need } from "../lib/types";

const MAX_WORDS = 600;

/** Marks a need as done, with a rating and a review. */
export function CompletionForm({ need, name }: { need: Need; name: string }) {
  const complete = useCompleteNeed();
  const draft = useReviewDraft(`need.${need.id}`);
  const isDone = need.status === "done";

  if (need.rating !== null) {
    return (
      <Notice tone="success">
        You gave {name} {need.rating} out of 5. {need.review}
      </Notice>
    );
  }

  async function submit() {
    const { stars, body } = draft.values;
    await complete
      .mutateAsync({ id: need.id, rating: stars || null, review: body.trim() })
      .then(() => {
        draft.forget();
        toast.success("Thanks! Your review helps other neighbors.");
      })
      .catch(() => undefined);
  }

  return (
    <Card as="section" aria-labelledby="completion">
      <div className={styles.form}>
        <h2 id="completion" className={styles.heading}>
          {isDone ? `How did ${name} do?` : "Is the job done?"}
        </h2>
        <ReviewForm
          legend={`Rate ${name}`}
          values={draft.values}
          onChange={(changes) => draft.change(changes)}
          onSubmit={() => void submit()}
          pending={complete.isPending}
          error={complete.error}
          submitLabel={isDone ? "Post review" : "Mark as done"}
          maxWords={MAX_WORDS}
          needsStars={isDone}
        />
      </div>
    </Card>
  );
}
