import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { maxLength, minLength, object, refine, string, trim, type infer as Infer } from "zod/mini";
import { afterwards } from "../../kit/afterwards";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Field, Input, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { toast } from "../../ui/toast-store";
import { UnsavedGuard } from "../../ui/unsaved-guard";
import styles from "./angels.module.css";
import { useMakeOffer, useWithdrawOffer } from "./change-need";
import { centsOf, dollars } from "./formats";
import type { Need, NeedData, OwnOffer } from "./get-needs";

/** What somebody else does with a need: offer to do it, or see what became of their offer. */
export function OfferPart({ data: { need, ownOffer } }: { data: NeedData }) {
  if (ownOffer && ownOffer.outcome !== "withdrawn") return <Own offer={ownOffer} />;
  if (need.status !== "open") return <Notice>This need is no longer open.</Notice>;
  return <OfferForm need={need} />;
}

const OUTCOMES = {
  open: "Your offer is with the neighbor. We mail you when they decide.",
  accepted: "Your offer was accepted. Reply to our mail to settle the time.",
  declined: "This went to somebody else. Thank you for offering.",
  closed: "This need is no longer open.",
  withdrawn: "You took your offer back.",
};

function Own({ offer }: { offer: OwnOffer }) {
  const withdraw = useWithdrawOffer();
  return (
    <Card as="section" aria-labelledby="own-offer" className={styles.form}>
      <h2 id="own-offer" className={styles.heading}>
        Your offer
      </h2>
      <Notice tone={offer.outcome === "accepted" ? "success" : "info"}>{OUTCOMES[offer.outcome]}</Notice>
      <p>
        <Badge tone="green">{dollars(offer.priceCents)}</Badge>
      </p>
      <p className={styles.words}>{offer.message}</p>
      {offer.outcome === "open" && (
        <div>
          <Button
            variant="ghost"
            size="sm"
            loading={withdraw.isPending}
            onClick={() =>
              afterwards(
                withdraw.mutateAsync(offer.id),
                () => toast.success("Your offer is withdrawn."),
                (reason) => toast.error(reason.message),
              )
            }
          >
            Withdraw my offer
          </Button>
        </div>
      )}
    </Card>
  );
}

const schema = object({
  price: string().check(
    refine((text) => {
      const cents = centsOf(text);
      return cents !== null && cents <= 1_000_000;
    }, "Say for how much, in dollars; 0 for nothing"),
  ),
  message: string().check(trim(), minLength(1, "Say when you can come, and how you would do it"), maxLength(1000, "1000 characters are enough")),
});

function OfferForm({ need }: { need: Need }) {
  const make = useMakeOffer();
  const form = useForm<Infer<typeof schema>>({ resolver: zodResolver(schema), defaultValues: { price: "", message: "" } });
  const { errors, isDirty } = form.formState;

  async function submit({ price, message }: Infer<typeof schema>) {
    await make
      .mutateAsync({ id: need.id, priceCents: centsOf(price) ?? 0, message })
      .then(() => toast.success("Your offer is on its way."))
      .catch(() => undefined); // shown below, with what was typed
  }

  return (
    <Card as="section" aria-labelledby="make-offer">
      <form className={styles.form} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
        <UnsavedGuard unsaved={isDirty && !make.isPending && !make.isSuccess} />
        <h2 id="make-offer" className={styles.heading}>
          Make an offer
        </h2>
        <Field label="Price for the whole job, in dollars" error={errors.price?.message}>
          <Input inputMode="decimal" autoComplete="off" {...form.register("price")} />
        </Field>
        <Field label="Your message" hint="When you can come, and how you would do it." error={errors.message?.message}>
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
