import { api } from "@/lib/api-client";
import { useProfileMutation } from "../lib/use-profile-mutation";

/** Set the profile photo; the server re-encodes it as a square without metadata. */
export function useUpdatePhoto() {
  return useProfileMutation((photo: Blob) => api.PUT("/auth/photo", { body: photo }));
}
