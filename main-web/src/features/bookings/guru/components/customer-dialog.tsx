import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { LoadNotice } from "@/components/ui/load-notice";
import { Notice } from "@/components/ui/notice";
import { Stack } from "@/components/ui/stack";
import { useCalendar } from "@/features/hours/contract";
import { errorMessage } from "@/lib/errors";
import { useServiceQuestions, useServices } from "@/features/services/contract";
import { useCustomerForm, type KnownClient } from "../lib/use-customer-form";
import type { Grant } from "../packages/types";
import { CustomerFields } from "./customer-fields";

type CustomerDialogProps = {
  /** The customer's package to book with. */
  grant?: Grant;
  /** The customer who comes again. */
  client?: KnownClient;
  /** The time to begin with, in ISO 8601; "" for none. */
  startsAt?: string;
  onClose: () => void;
};

/** Book a session for someone who called or came by. */
export function CustomerDialog({ grant, client, startsAt = "", onClose }: CustomerDialogProps) {
  const calendar = useCalendar();
  const services = useServices();
  const zone = calendar.data?.zone ?? "";
  const offered = services.data?.services.filter(({ durationMinutes }) => durationMinutes !== null) ?? [];
  const content = useRef<HTMLDivElement>(null);
  const form = useCustomerForm({
    zone,
    defaultServiceId: offered[0]?.id ?? "",
    grant,
    client,
    startsAt,
    onBooked: onClose,
  });
  const questions = useServiceQuestions(form.values.serviceId);
  const { warnings, failure, refusals } = form;

  // Bring what the answer says into view: on a phone it may be far from the button.
  useEffect(() => {
    if (refusals === 0) return;
    const wrong = content.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (wrong) wrong.focus();
    else content.current?.querySelector("[data-answer]")?.scrollIntoView({ block: "nearest" });
  }, [refusals]);

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Book for a customer"
      description="For someone who called or came by. Your notice and hours don't limit you."
      width={520}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Close
          </Button>
          <Button
            disabled={form.values.serviceId === "" || zone === ""}
            loading={form.isPending}
            onClick={() => void form.submit(questions)}
          >
            {warnings.length > 0 ? "Book anyway" : "Book"}
          </Button>
        </>
      }
    >
      <Stack ref={content}>
        <LoadNotice what="your services" queries={[services]} />
        <LoadNotice what="your calendar" queries={[calendar]} />
        {services.data && offered.length === 0 && (
          <Notice>Add a service with a duration first, then you can book it for customers.</Notice>
        )}
        {failure && (
          <div data-answer>
            <Notice tone="danger">{errorMessage(failure)}</Notice>
          </div>
        )}
        <CustomerFields form={form} services={offered} questions={questions} zone={zone} />
        <div aria-live="polite" data-answer={warnings.length > 0 || undefined}>
          {warnings.length > 0 && (
            <Notice tone="warning">
              <ul>
                {warnings.map((warning) => (
                  <li key={warning}>{warning}</li>
                ))}
              </ul>
            </Notice>
          )}
        </div>
      </Stack>
    </Dialog>
  );
}
