import { useState } from "react";
import { onSettled } from "@/lib/on-settled";
import { toast } from "@/lib/toast-store";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { RadioGroup } from "@/components/ui/radio-group";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { Hint } from "@/components/ui/hint";
import { useUpdateMainAddress } from "../api/update-main-address";
import type { CustomDomains } from "../lib/types";

const SUBDOMAIN = "";

/** The choice of the main address, to which the others redirect. */
export function MainAddressForm({ domains, mainAddress }: Pick<CustomDomains, "domains" | "mainAddress">) {
  const update = useUpdateMainAddress();
  const saved = mainAddress.domain ?? SUBDOMAIN;
  // What was chosen here stays while the list is loaded again.
  const [chosen, setChosen] = useState<string>();
  const connected = domains.filter(({ status, overLimit }) => status !== "waiting" && !overLimit);
  const offered = [...connected.map(({ domain }) => domain), SUBDOMAIN];
  const value = chosen !== undefined && offered.includes(chosen) ? chosen : saved;
  const isElsewhere = mainAddress.domain !== null && mainAddress.domain !== mainAddress.host;

  return (
    <Card>
      <Stack
        as="form"
        onSubmit={(event) => {
          event.preventDefault();
          onSettled(
            update.mutateAsync(value || null),
            () => {
              setChosen(undefined);
              toast.success("Main address saved.");
            },
            () => undefined,
          );
        }}
      >
        <RadioGroup
          label="Main address"
          choices={[
            ...connected.map(({ domain, name }) => ({ value: domain, label: name })),
            { value: SUBDOMAIN, label: mainAddress.subdomain, hint: "Your Porchlight address" },
          ]}
          value={value}
          onChange={setChosen}
        />
        <Hint>Your other addresses send visitors here. Your links, emails, feeds and QR code name this address.</Hint>
        {isElsewhere && (
          <Notice tone="warning">
            Not every visitor can open {nameOf(domains, mainAddress.domain)} yet, so we send them to{" "}
            {nameOf(domains, mainAddress.host)}. This changes by itself once the domain works.
          </Notice>
        )}
        {update.isError && <Notice tone="danger">{update.error.message}</Notice>}
        <ButtonRow>
          <Button type="submit" variant="secondary" loading={update.isPending} disabled={value === saved}>
            Save main address
          </Button>
        </ButtonRow>
      </Stack>
    </Card>
  );
}

function nameOf(domains: CustomDomains["domains"], host: string | null): string {
  return domains.find(({ domain }) => domain === host)?.name ?? host ?? "";
}
