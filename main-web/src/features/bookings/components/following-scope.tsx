import type { UseQueryResult } from "@tanstack/react-query";
import { LoadNotice } from "@/components/ui/load-notice";
import { RadioGroup } from "@/components/ui/radio-group";
import { Skeleton } from "@/components/ui/skeleton";
import type { Following } from "../lib/following";

/** Which sessions of a series a change is about. */
export type Scope = "this" | "following";

type FollowingScopeProps = { following: UseQueryResult<Following>; scope: Scope; onChange: (scope: Scope) => void };

/** Choose between one session of a series, and that one with those after it. Shows nothing for the last one. */
export function FollowingScope({ following, scope, onChange }: FollowingScopeProps) {
  if (following.isPending && following.fetchStatus !== "idle") {
    return (
      <div aria-busy="true">
        <p role="status">Looking for the other sessions…</p>
        <Skeleton height="4rem" radius="md" />
      </div>
    );
  }
  const count = following.data?.sessions.length ?? 0;
  return (
    <>
      <LoadNotice what="the other sessions of the series" queries={[following]} />
      {count > 1 && (
        <RadioGroup
          label="Which sessions?"
          choices={[
            { value: "this", label: "This session" },
            { value: "following", label: `This and the following sessions (${count})` },
          ]}
          value={scope}
          onChange={onChange}
        />
      )}
    </>
  );
}
