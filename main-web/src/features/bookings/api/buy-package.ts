import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { soldPackagesQuery } from "./get-sold-packages";
import { EMAIL_UNVERIFIED } from "@porchlight/shared/client";

type Purchase = { name: string; priceCents: number; idempotencyKey: string };

/**
 * Open Stripe's page for a package. The idempotency key makes repeated attempts count once. After an error the packages
 * are loaded again: the price may have changed, or the package is not sold any more.
 */
export function useBuyPackage(label: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ idempotencyKey, ...body }: Purchase) =>
      api.POST("/gurus/{subdomain}/packages/{package_id}/purchases", {
        params: { path: { subdomain: label, package_id: id } },
        handled: [EMAIL_UNVERIFIED],
        body,
        headers: { "Idempotency-Key": idempotencyKey },
      }),
    onError: () => queries.invalidateQueries({ queryKey: soldPackagesQuery(label).queryKey }),
  });
}
