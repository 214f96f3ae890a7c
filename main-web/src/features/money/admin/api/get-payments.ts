import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { ADMIN_KEY, useList, type Filters } from "@/features/admin/contract";

/** List the payments by card of all people. */
export const usePayments = (filters: Filters<"/admin/money/payments">) =>
  useList("money/payments", filters, (cursor, signal) =>
    api.GET("/admin/money/payments", { params: { query: { ...filters, cursor } }, signal }),
  );

const paymentQuery = (id: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "money", "payment", id],
    queryFn: ({ signal }) =>
      api.GET("/admin/money/payments/{payment_id}", { params: { path: { payment_id: id } }, signal }),
    staleTime: 5_000,
  });

/** Get everything about a payment by card. */
export function usePayment(id: string) {
  return useQuery(paymentQuery(id));
}
