import { Star } from "lucide-react";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import styles from "../../components/angels.module.css";
import { useCompleteNeed } from "../api/complete-need";
import type { Need } from "../lib/types";

/** Marks a need as done, with a rating and a review. */
export function CompletionForm({ need, name }: { need: Need; name: string }) {
  const complete = useCompleteNeed();
  const form = useForm<{ rating: number | null; review: string }>({ defaultValues: { rating: null, review: "" } });
  const rating = useWatch({ control: form.control, name: "rating" });

  if (need.rating !== null) {
    return (
      <Notice tone="success">
        You gave {name} {need.rating} out of 5. {need.review}
      </Notice>
    );
  }

  async function submit(values: { rating: number | null; review: string }) {
    await complete
      .mutateAsync({ id: need.id, rating: values.rating, review: values.review.trim() })
      .then(() => toast.success("Thanks! Your review helps other neighbors."))
      .catch(() => undefined);
  }

  return (
    <Card as="section" aria-labelledby="completion">
      <form className={styles.form} onSubmit={(event) => void form.handleSubmit(submit)(event)}>
        <h2 id="completion" className={styles.heading}>
          {need.status === "done" ? `How did ${name} do?` : "Is the job done?"}
        </h2>
        <fieldset className={styles.fieldset}>
          <legend className={styles.legend}>Rate {name}</legend>
          <div className={styles.stars}>
            {[1, 2, 3, 4, 5].map((stars) => (
              <label key={stars} className={styles.day}>
                <input
                  type="radio"
                  name="rating"
                  checked={rating === stars}
                  onChange={() => form.setValue("rating", stars)}
                />
                <span>
                  {stars} <Star size={14} aria-hidden="true" />
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <Field label="Your review" optional>
          <TextArea rows={2} maxLength={600} {...form.register("review")} />
        </Field>
        {complete.isError && <Notice tone="danger">{complete.error.message}</Notice>}
        <div>
          <Button type="submit" loading={complete.isPending} disabled={need.status === "done" && rating === null}>
            {need.status === "done" ? "Post review" : "Mark as done"}
          </Button>
        </div>
      </form>
    </Card>
  );
}
