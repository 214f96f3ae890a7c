import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { orderInvoicesQuery, type Company } from "./get-order-invoices";

/** Get an invoice of an order for a company; the same one again changes nothing. */
export function useCreateOrderInvoice(orderId: string) {
  const queries = useQueryClient();
  const { queryKey } = orderInvoicesQuery(useCurrentUserId(), orderId);
  return useMutation({
    mutationFn: (body: Company) =>
      api.POST("/orders/{order_id}/invoices", { params: { path: { order_id: orderId } }, body }),
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
  });
}
