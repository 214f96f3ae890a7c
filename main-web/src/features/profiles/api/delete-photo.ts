import { api } from "@/lib/api-client";
import { useProfileMutation } from "../lib/use-profile-mutation";

/** Delete the profile photo. */
export function useDeletePhoto() {
  return useProfileMutation<undefined>(() => api.DELETE("/auth/photo"));
}
