import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { FieldPair } from "@/components/ui/field-pair";
import { Notice } from "@/components/ui/notice";
import { Stack } from "@/components/ui/stack";
import { useServices } from "@/features/services/contract";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { errorMessage } from "@/lib/errors";
import { toast } from "@/lib/toast-store";
import { useSavePackage } from "./packages-api";
import type { Package } from "./types";
import { fieldErrors } from "@porchlight/shared/client";

type Problems = Record<string, string | undefined>;

/** A whole number within bounds, or null. */
function wholeNumber(text: string, min: number, max: number): number | null {
  const value = /^\d{1,4}$/.test(text.trim()) ? Number(text) : NaN;
  return value >= min && value <= max ? value : null;
}

/** Defines or changes a package. The input is kept until it is saved. */
export function PackageDialog({ item, onClose }: { item: Package | null; onClose: () => void }) {
  const services = useServices();
  const save = useSavePackage();
  const bookable = services.data?.services.filter(({ durationMinutes }) => durationMinutes !== null) ?? [];
  const [key] = useState(createIdempotencyKey);
  const [chosen, setChosen] = useState(item?.serviceId ?? "");
  const [name, setName] = useState(item?.name ?? "");
  const [sessions, setSessions] = useState(String(item?.sessions ?? 5));
  const [days, setDays] = useState(String(item?.days ?? 90));
  const [problems, setProblems] = useState<Problems>({});
  const serviceId = chosen || (bookable[0]?.id ?? "");

  async function submit() {
    const count = wholeNumber(sessions, 2, 52);
    const length = wholeNumber(days, 7, 1096);
    if (name.trim() === "" || serviceId === "" || count === null || length === null) {
      setProblems({
        ...(name.trim() === "" && { name: "Enter a name" }),
        ...(serviceId === "" && { serviceId: "Add a service that can be booked first" }),
        ...(count === null && { sessions: "Enter 2 to 52 sessions" }),
        ...(length === null && { days: "Enter 7 to 1,096 days" }),
      });
      return;
    }
    try {
      await save.mutateAsync({
        id: item?.id ?? null,
        serviceId,
        idempotencyKey: key,
        values: { name: name.trim(), sessions: count, days: length },
      });
      toast.success(item ? "Saved. It applies to people who get it from now on." : "Added.");
      onClose();
    } catch (reason) {
      setProblems(fieldErrors(reason));
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={item ? "Edit package" : "Add a package"}
      width={480}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="package-form" loading={save.isPending}>
            Save package
          </Button>
        </>
      }
    >
      <Stack
        as="form"
        id="package-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {item === null && (
          <Field label="Service" error={problems.serviceId}>
            <Select value={serviceId} onChange={(event) => setChosen(event.target.value)}>
              {bookable.map((service) => (
                <option key={service.id} value={service.id}>
                  {service.name}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label="Name" hint="Such as “Five lessons”." error={problems.name}>
          <Input maxLength={60} autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <FieldPair>
          <Field label="Sessions" error={problems.sessions}>
            <Input inputMode="numeric" value={sessions} onChange={(event) => setSessions(event.target.value)} />
          </Field>
          <Field label="Days to use it" error={problems.days}>
            <Input inputMode="numeric" value={days} onChange={(event) => setDays(event.target.value)} />
          </Field>
        </FieldPair>
        {save.isError && <Notice tone="danger">{errorMessage(save.error)}</Notice>}
      </Stack>
    </Dialog>
  );
}
