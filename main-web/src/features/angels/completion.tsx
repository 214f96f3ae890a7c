import { Star } from "lucide-react";
import { useState, type SyntheticEvent } from "react";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Field, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { toast } from "../../ui/toast-store";
import styles from "./angels.module.css";
import { useCompleteNeed } from "./change-need";
import type { Need } from "./get-needs";

/** Saying that it is done, and how it went. */
export function Completion({ need, name }: { need: Need; name: string }) {
  const complete = useCompleteNeed();
  const [rating, setRating] = useState<number | null>(null);
  const [review, setReview] = useState("");

  if (need.rating !== null) {
    return (
      <Notice tone="success">
        You rated {name} with {need.rating} of 5. {need.review}
      </Notice>
    );
  }

  async function submit(event: SyntheticEvent) {
    event.preventDefault();
    await complete
      .mutateAsync({ id: need.id, rating, review: review.trim() })
      .then(() => toast.success("Thank you. Your word helps the next neighbor."))
      .catch(() => undefined);
  }

  return (
    <Card as="section" aria-labelledby="completion">
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <h2 id="completion" className={styles.heading}>
          {need.status === "done" ? `How was the help of ${name}?` : "Is it done?"}
        </h2>
        <fieldset className={styles.fieldset}>
          <legend className={styles.legend}>Your rating of {name}</legend>
          <div className={styles.stars}>
            {[1, 2, 3, 4, 5].map((stars) => (
              <label key={stars} className={styles.day}>
                <input type="radio" name="rating" checked={rating === stars} onChange={() => setRating(stars)} />
                <span>
                  {stars} <Star size={14} aria-hidden="true" />
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <Field label="A few words" optional>
          <TextArea rows={2} maxLength={600} value={review} onChange={(event) => setReview(event.target.value)} />
        </Field>
        {complete.isError && <Notice tone="danger">{complete.error.message}</Notice>}
        <div>
          <Button type="submit" loading={complete.isPending} disabled={need.status === "done" && rating === null}>
            {need.status === "done" ? "Send rating" : "It is done"}
          </Button>
        </div>
      </form>
    </Card>
  );
}
