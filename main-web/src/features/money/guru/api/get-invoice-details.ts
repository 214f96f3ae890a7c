import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const invoiceDetailsQuery = (userId: string) =>
  queryOptions({
    queryKey: ["guru", userId, "invoice-details"],
    queryFn: ({ signal }) => api.GET("/guru/invoice-details", { signal }),
    staleTime: 0,
  });

/** Get what the guru's invoices say about the guru. */
export function useInvoiceDetails() {
  return useQuery(invoiceDetailsQuery(useConsoleUserId()));
}
