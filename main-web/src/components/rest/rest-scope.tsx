import type { UseQueryResult } from "@tanstack/react-query";
import { LoadNotice } from "@/components/ui/load-notice";
import { RadioGroup } from "@/components/ui/radio-group";
import { Skeleton } from "@/components/ui/skeleton";
import type { Rest } from "./rest";

/** Which sessions of a series a change is about. */
export type Scope = "this" | "rest";

type RestScopeProps = { rest: UseQueryResult<Rest>; scope: Scope; onChange: (scope: Scope) => void };

/** Choose between one session of a series, and that one with those after it. Shows nothing for the last one. */
export function RestScope({ rest, scope, onChange }: RestScopeProps) {
  if (rest.isPending && rest.fetchStatus !== "idle") {
    return (
      <div aria-busy="true">
        <p role="status">Looking for the other sessions…</p>
        <Skeleton height="4rem" radius="md" />
      </div>
    );
  }
  const count = rest.data?.sessions.length ?? 0;
  return (
    <>
      <LoadNotice what="the other sessions of the series" queries={[rest]} />
      {count > 1 && (
        <RadioGroup
          label="Which sessions?"
          choices={[
            { value: "this", label: "This session" },
            { value: "rest", label: `This and the following sessions (${count})` },
          ]}
          value={scope}
          onChange={onChange}
        />
      )}
    </>
  );
}
