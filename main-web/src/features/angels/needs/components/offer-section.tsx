import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { maxLength, minLength, object, refine, string, trim, type infer as Infer } from "zod/mini";
import { onSettled } from "@/lib/on-settled";
import { MessageLink } from "@/features/messages/contract";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import styles from "../../components/angels.module.css";
import { useCreateOffer } from "../api/create-offer";
import { useDeleteOffer } from "../api/delete-offer";
import type { Need, NeedData, OwnOffer } from "../lib/types";
import { formatMoney, parseMoney } from "@porchlight/shared/format/money";

/** What other users can do with a need: make an offer, or see the status of their offer. */
export function OfferSection({ data: { need, ownOffer } }: { data: NeedData }) {
  if (ownOffer && ownOffer.outcome !== "withdrawn") return <Own offer={ownOffer} />;
  if (need.status !== "open") return <Notice>This need is no longer open.</Notice>;
  return <OfferForm need={need} />;
}

const OUTCOME_LABELS = {
  open: "Your offer has been sent. We'll email you when they decide.",
  accepted: "Your offer was accepted. Reply to our email to set a time.",
  declined: "Someone else was chosen. Thanks for offering.",
  closed: "This need is no longer open.",
  withdrawn: "You withdrew your offer.",
};

function Own({ offer }: { offer: OwnOffer }) {
  const withdraw = useDeleteOffer();
  return (
    <Card as="section" aria-labelledby="own-offer" className={styles.form}>
      <h2 id="own-offer" className={styles.heading}>
        Your offer
      </h2>
      <Notice tone={offer.outcome === "accepted" ? "success" : "info"}>{OUTCOME_LABELS[offer.outcome]}</Notice>
      <p>
        <Badge tone="good">{formatMoney(offer.priceCents)}</Badge>
      </p>
      <p className={styles.userText}>{offer.message}</p>
      {(offer.outcome === "open" || offer.outcome === "accepted") && (
        <div className={styles.buttons}>
          <MessageLink to={{ kind: "need_offer", id: offer.id }} name="the neighbor" isWholeName />
          {offer.outcome === "open" && (
            <Button
              variant="ghost"
              size="sm"
              loading={withdraw.isPending}
              onClick={() =>
                onSettled(
                  withdraw.mutateAsync(offer.id),
                  () => toast.success("Your offer has been withdrawn."),
                  (reason) => toast.error(reason.message),
                )
              }
            >
              Withdraw my offer
            </Button>
          )}
        </div>
      )}
    </Card>
  );
}

const schema = object({
  price: string().check(
    refine((text) => {
      const cents = parseMoney(text);
      return cents !== null && cents <= 1_000_000;
    }, "Enter a price (0 if it's free)"),
  ),
  message: string().check(
    trim(),
    minLength(1, "Add when you can come and how you'd do it"),
    maxLength(1000, "Keep it under 1,000 characters"),
  ),
});

function OfferForm({ need }: { need: Need }) {
  const make = useCreateOffer();
  const form = useForm<Infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { price: "", message: "" },
  });
  const { errors, isDirty } = form.formState;

  async function submit({ price, message }: Infer<typeof schema>) {
    await make
      .mutateAsync({ id: need.id, priceCents: parseMoney(price) ?? 0, message })
      .then(() => toast.success("Your offer has been sent."))
      .catch(() => undefined); // The error is shown below the form.
  }

  return (
    <Card as="section" aria-labelledby="make-offer">
      <form className={styles.form} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
        <UnsavedGuard unsaved={isDirty && !make.isPending && !make.isSuccess} />
        <h2 id="make-offer" className={styles.heading}>
          Make an offer
        </h2>
        <Field label="Price for the whole job ($)" error={errors.price?.message}>
          <Input inputMode="decimal" autoComplete="off" {...form.register("price")} />
        </Field>
        <Field label="Your message" hint="When you can come and how you'd do it." error={errors.message?.message}>
          <TextArea rows={4} {...form.register("message")} />
        </Field>
        {make.isError && <Notice tone="danger">{make.error.message}</Notice>}
        <div>
          <Button type="submit" loading={make.isPending}>
            Send offer
          </Button>
        </div>
      </form>
    </Card>
  );
}
