import { api } from "@/lib/api-client";
import type { Profile } from "@/lib/session/get-profile";
import { useProfileMutation } from "../lib/use-profile-mutation";

/** Set the profile photo; the server re-encodes it as a square without metadata. */
export function useUpdatePhoto() {
  return useProfileMutation((photo: Blob) => api.put<Profile | undefined>("/auth/photo", { body: photo }));
}
