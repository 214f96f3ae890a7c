import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../api";
import { useSession } from "./session-context";
import type { components } from "@porchlight/shared/api.gen";
import { ApiError } from "@porchlight/shared/client";
import { AUTH_TEXTS } from "@porchlight/shared/auth-errors";

type Schemas = components["schemas"];

export type Profile = Schemas["ProfileAnswer"];
export type ProfileChanges = Pick<
  Schemas["ProfilePayload"],
  | "handle"
  | "firstName"
  | "lastName"
  | "displayName"
  | "bio"
  | "location"
  | "skills"
  | "languages"
  | "availability"
  | "privacy"
>;

/** One's own profile, kept per account so that nobody sees the one of who was signed in before. */
export const profileQuery = (uid: string) =>
  queryOptions({
    queryKey: ["profile", uid],
    queryFn: ({ signal }) => api.get<Profile>("/auth/profile", { signal }),
  });

/** The signed-in person's profile (SPEC 7.2); asks nothing while nobody is signed in. */
export function useProfile() {
  const session = useSession();
  const uid = session.status === "signed-in" ? session.user.uid : "";
  return useQuery({ ...profileQuery(uid), enabled: uid !== "" });
}

/** Changes the fields that are named, then fetches the profile anew (SPEC 4, 7.2). Rejects with SPEC 8.1's words. */
export function usePutProfile() {
  return useProfileChange((changes: ProfileChanges) => api.put<Profile | undefined>("/auth/profile", { body: changes }));
}

/** Sets one's photo; the server draws it anew as a square without metadata. */
export function usePutPhoto() {
  return useProfileChange((photo: Blob) => api.put<Profile | undefined>("/auth/photo", { body: photo }));
}

export function useDeletePhoto() {
  return useProfileChange<undefined>(() => api.delete<Profile | undefined>("/auth/photo"));
}

function useProfileChange<Sent>(change: (sent: Sent) => Promise<Profile | undefined>) {
  const session = useSession();
  const queries = useQueryClient();
  const uid = session.status === "signed-in" ? session.user.uid : "";
  return useMutation({
    mutationFn: async (sent: Sent) => {
      if (!uid) throw new Error(AUTH_TEXTS.noUser);
      const changed = await change(sent).catch((reason: unknown) => {
        throw answeredByNoApi(reason) ? new Error(AUTH_TEXTS.noApi) : reason;
      });
      if (!changed) throw new Error(AUTH_TEXTS.noApi);
      return changed;
    },
    onSuccess: (changed) => {
      queries.setQueryData(profileQuery(uid).queryKey, changed);
      void queries.invalidateQueries({ queryKey: profileQuery(uid).queryKey });
    },
  });
}

/** Our API names a code with every refusal; a bare 404 or 405 comes from a host that has no API behind it. */
function answeredByNoApi(reason: unknown): boolean {
  return reason instanceof ApiError && reason.code === "unknown" && (reason.status === 404 || reason.status === 405);
}

/** The toast of a profile change that failed (SPEC 8.1). */
export function profileErrorText(reason: unknown): string {
  const said = reason instanceof Error && !(reason instanceof ApiError) ? reason.message : "";
  return said === AUTH_TEXTS.noUser || said === AUTH_TEXTS.noApi ? said : AUTH_TEXTS.profileFailed;
}
