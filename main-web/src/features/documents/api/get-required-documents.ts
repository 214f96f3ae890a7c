import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { RequiredDocument } from "../lib/types";

/** List the documents that the user's categories require (SPEC 7.2). */
export function useRequiredDocuments() {
  return useQuery({
    queryKey: ["onboarding", useCurrentUserId(), "requirements"],
    queryFn: ({ signal }) => api.get<{ needed: RequiredDocument[] }>("/onboarding/requirements", { signal }),
  });
}
