import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

export const soldPackagesQuery = (label: string) =>
  queryOptions({
    queryKey: ["sold-packages", label],
    queryFn: ({ signal }) => api.GET("/gurus/{subdomain}/packages", { params: { path: { subdomain: label } }, signal }),
    staleTime: 0, // the guru may have changed a price
  });

/** List the packages that a guru sells, by the label of their site. Disabled while `isNeeded` is false. */
export const useSoldPackages = (label: string, isNeeded: boolean) =>
  useQuery({ ...soldPackagesQuery(label), enabled: isNeeded });
