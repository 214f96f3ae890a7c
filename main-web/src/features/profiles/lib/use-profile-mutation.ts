import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { profileQuery, type Profile } from "@/lib/session/get-profile";
import { ApiError } from "@porchlight/shared/client";
import { AUTH_TEXTS } from "@porchlight/shared/auth-errors";

/** Run a request that returns the changed profile, and reload it. */
export function useProfileMutation<Variables>(request: (variables: Variables) => Promise<Profile | undefined>) {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (variables: Variables) => {
      if (!userId) throw new Error(AUTH_TEXTS.noUser);
      const changed = await request(variables).catch((reason: unknown) => {
        throw isMissingApi(reason) ? new Error(AUTH_TEXTS.noApi) : reason;
      });
      if (!changed) throw new Error(AUTH_TEXTS.noApi);
      return changed;
    },
    onSuccess: (changed) => {
      queries.setQueryData(profileQuery(userId).queryKey, changed);
      void queries.invalidateQueries({ queryKey: profileQuery(userId).queryKey });
    },
  });
}

/** Tell whether a host without our API responded: the API names a code with every 404 and 405. */
function isMissingApi(reason: unknown): boolean {
  return reason instanceof ApiError && reason.code === "unknown" && (reason.status === 404 || reason.status === 405);
}

/** Return the toast for a failed profile update (SPEC 8.1). */
export function profileErrorText(reason: unknown): string {
  const message = reason instanceof Error && !(reason instanceof ApiError) ? reason.message : "";
  return message === AUTH_TEXTS.noUser || message === AUTH_TEXTS.noApi ? message : AUTH_TEXTS.profileFailed;
}
