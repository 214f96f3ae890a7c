import { api } from "@/lib/api-client";
import type { Profile } from "@/lib/session/get-profile";
import { useProfileMutation } from "../lib/use-profile-mutation";

/** Delete the profile photo. */
export function useDeletePhoto() {
  return useProfileMutation<undefined>(() => api.delete<Profile | undefined>("/auth/photo"));
}
