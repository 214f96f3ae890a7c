import { useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { useUid, type Needed } from "./own";

/** What one's categories want to be shown, as the wizard's third step has it (SPEC 7.2). */
export function useNeeded() {
  return useQuery({
    queryKey: ["onboarding", useUid(), "requirements"],
    queryFn: ({ signal }) => api.get<{ needed: Needed[] }>("/onboarding/requirements", { signal }),
  });
}
