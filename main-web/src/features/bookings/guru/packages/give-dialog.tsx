import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Hint } from "@/components/ui/hint";
import { LoadNotice } from "@/components/ui/load-notice";
import { Notice } from "@/components/ui/notice";
import { RadioGroup } from "@/components/ui/radio-group";
import { Skeleton } from "@/components/ui/skeleton";
import { Stack } from "@/components/ui/stack";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { errorMessage } from "@/lib/errors";
import { toast } from "@/lib/toast-store";
import { useGrantPackage, usePackagePeople } from "./packages-api";
import type { Package } from "./types";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

/** Chooses the person who gets a package, among those who have booked or for whom the guru booked. */
export function GiveDialog({ item, onClose }: { item: Package; onClose: () => void }) {
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState("");
  const [problem, setProblem] = useState("");
  const [key] = useState(createIdempotencyKey);
  const people = usePackagePeople(search.trim());
  const give = useGrantPackage();
  const list = people.data?.people ?? [];

  async function submit() {
    const person = list.find(({ bookingId }) => bookingId === chosen);
    if (!person) {
      setProblem("Choose a person");
      return;
    }
    try {
      await give.mutateAsync({
        packageId: item.id,
        bookingId: chosen,
        coversBooking: false,
        idempotencyKey: `${key}-${chosen}`,
      });
      toast.success(person.isCustomer ? `Given. Tell ${person.name} about it.` : `Given. We've told ${person.name}.`);
      onClose();
    } catch {
      return; // the notice shows it
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Give ${item.name}`}
      width={480}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={give.isPending} onClick={() => void submit()}>
            Give package
          </Button>
        </>
      }
    >
      <Stack>
        <Hint>
          {item.sessions} sessions of {item.serviceName}, for {item.days} days from today.
          {item.priceCents > 0 && " No one is charged for a package that you give."}
        </Hint>
        <Field label="Find a person" hint="People who booked with you, or for whom you booked.">
          <Input type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
        </Field>
        {people.isPending && (
          <div aria-busy="true">
            <Skeleton height="8rem" radius="md" />
          </div>
        )}
        <LoadNotice what="your people" queries={[people]} />
        {people.data && list.length === 0 && (
          <p role="status">{search.trim() ? "No one with that name." : "No one has booked with you yet."}</p>
        )}
        {list.length > 0 && (
          <RadioGroup
            label="Person"
            value={chosen}
            onChange={(value) => {
              setChosen(value);
              setProblem("");
            }}
            choices={list.map((person) => ({
              value: person.bookingId,
              label: person.name,
              hint: `${person.isCustomer ? "No account. " : ""}Last: ${person.serviceName}, ${formatSessionStart(person.startsAt, person.zone)}`,
            }))}
          />
        )}
        {problem && <Notice tone="danger">{problem}</Notice>}
        {people.data?.more && <Hint>There are more people. Type a part of the name.</Hint>}
        {give.isError && <Notice tone="danger">{errorMessage(give.error)}</Notice>}
      </Stack>
    </Dialog>
  );
}
