import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api-client";
import { useCurrentUserId } from "../use-current-user-id";
import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

export type Profile = Schemas["ProfileResponse"];
/** The user's own profile; cached per account, so that another user of this browser does not see it. */
export const profileQuery = (uid: string) =>
  queryOptions({
    queryKey: ["profile", uid],
    queryFn: ({ signal }) => api.GET("/auth/profile", { signal }),
  });

/**
 * Get the profile of the signed-in user (SPEC 7.2). Disabled while signed out.
 *
 * @param retryOnMount whether a component that mounts asks again when the read has failed
 */
export function useProfile({ retryOnMount = true } = {}) {
  const userId = useCurrentUserId();
  return useQuery({ ...profileQuery(userId), enabled: userId !== "", retryOnMount });
}
