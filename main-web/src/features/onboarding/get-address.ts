import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { useUid, type AddressCheck } from "./own";

export const addressQuery = (uid: string, name: string) =>
  queryOptions({
    queryKey: ["onboarding", uid, "subdomain", name],
    queryFn: ({ signal }) => api.get<AddressCheck>("/onboarding/subdomain", { query: { name }, signal }),
    retry: false,
    gcTime: 0,
  });

/** Whether a site address is free; of "", one that is proposed. */
export function useAddress(name: string, enabled = true) {
  return useQuery({ ...addressQuery(useUid(), name), enabled });
}
