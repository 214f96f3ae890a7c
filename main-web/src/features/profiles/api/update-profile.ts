import { api } from "@/lib/api-client";
import { useProfileMutation } from "../lib/use-profile-mutation";
import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

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

/** Update the given fields, then reload the profile (SPEC 4, 7.2). Rejects with SPEC 8.1's messages. */
export function useUpdateProfile() {
  return useProfileMutation((changes: ProfileChanges) => api.PUT("/auth/profile", { body: changes }));
}
