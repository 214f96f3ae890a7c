import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import type { components } from "@porchlight/shared/api.gen";

export type Company = components["schemas"]["InvoicePartyData"];
export type Invoice = components["schemas"]["InvoiceData"];
export type OrderInvoices = components["schemas"]["OrderInvoicesData"];

export const orderInvoicesQuery = (userId: string, orderId: string) =>
  queryOptions({
    queryKey: ["orders", userId, "invoices", orderId],
    queryFn: ({ signal }) =>
      api.GET("/orders/{order_id}/invoices", { params: { path: { order_id: orderId } }, signal }),
    staleTime: 0,
  });

/** Get the invoices of an order, and the company that the user entered last. */
export function useOrderInvoices(orderId: string) {
  return useQuery(orderInvoicesQuery(useCurrentUserId(), orderId));
}
