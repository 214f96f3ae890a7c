import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { readSavedLocation } from "@/lib/saved-location";
import type { components } from "@porchlight/shared/api.gen";
export type ServiceAngel = components["schemas"]["AngelResponse"] & { service: string };

const MAX_SERVICES = 3;
const MAX_ANGELS = 12;

/** List the angels for a service, or for the services of an Angel's List category, the nearest first. */
export function useAngelsOfCategory(category: string, service: string) {
  const near = readSavedLocation() ?? "";
  return useQuery({
    queryKey: ["teachers", "angels", category, service, near],
    queryFn: async ({ signal }): Promise<ServiceAngel[]> => {
      const services = service
        ? [{ id: service }]
        : (await api.GET("/angels", { params: { query: { category } }, signal })).services;
      const pages = await Promise.all(
        services.slice(0, MAX_SERVICES).map(async ({ id }) => ({
          id,
          page: await api.GET("/angels/{service_id}", {
            params: { path: { service_id: id }, query: { near } },
            signal,
          }),
        })),
      );
      return pages
        .flatMap(({ id, page }) => page.angels.map((angel) => ({ ...angel, service: id })))
        .filter((angel) => !angel.mine)
        .slice(0, MAX_ANGELS);
    },
  });
}
