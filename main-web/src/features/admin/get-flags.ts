import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { ADMIN } from "./admin-keys";
import { logged } from "./logged";

type Flags = { flags: Record<string, boolean> };

const flagsQuery = queryOptions({
  queryKey: [ADMIN, "flags"],
  queryFn: ({ signal }) => logged("The feature flags", api.get<Flags>("/feature-flags/admin", { signal })),
  select: ({ flags }) => Object.entries(flags),
});

/** Every flag by name, for everybody. */
export function useStaffFlags() {
  return useQuery(flagsQuery);
}
