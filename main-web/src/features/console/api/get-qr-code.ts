import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";

export const qrCodeQuery = (userId: string, address: string) =>
  queryOptions({
    queryKey: ["guru", userId, "qr-code", address],
    queryFn: ({ signal }) => api.GET("/guru/qr-code", { signal }),
  });

/** Get the QR code of the site, which is at this address now. */
export function useQrCode(address: string) {
  return useQuery(qrCodeQuery(useConsoleUserId(), address));
}
