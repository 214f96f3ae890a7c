import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api";
import { PATIENCE } from "../../kit/pictures";
import { uploading } from "../../kit/uploading";
import { needKey, needQuery, type NeedData } from "./get-needs";
import { useUid } from "./own-services";
import type { components } from "@porchlight/shared/api.gen";

type Schemas = components["schemas"];

function useNeedChange<Sent>(change: (sent: Sent) => Promise<NeedData>) {
  const uid = useUid();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (data) => queries.setQueryData(needQuery(uid, data.need.id).queryKey, data),
    onSettled: () => queries.invalidateQueries({ queryKey: needKey(uid) }),
  });
}

/** Posts a need; the key makes a repeated attempt count once. */
export function usePostNeed() {
  return useNeedChange(({ key, need }: { key: string; need: Schemas["NeedPayload"] }) =>
    api.post<NeedData>("/needs", { body: need, headers: { "Idempotency-Key": key } }),
  );
}

/** Adds a photo; `report` hears how much of it has been sent, 0 to 1. */
export function useAddPhoto() {
  return useNeedChange(({ id, photo, report }: { id: string; photo: File; report: (part: number) => void }) =>
    api.post<NeedData>(`/needs/${id}/photos`, { body: photo, timeout: PATIENCE, carry: uploading(report) }),
  );
}

/** Takes a photo off; `photo` is the address it is shown at. */
export function useRemovePhoto() {
  return useNeedChange(({ id, photo }: { id: string; photo: string }) =>
    api.delete<NeedData>(`/needs/${id}/photos/${photo.slice(photo.lastIndexOf("/") + 1).replace(".webp", "")}`),
  );
}

export function useWithdrawNeed() {
  return useNeedChange((id: string) => api.post<NeedData>(`/needs/${id}/withdrawal`));
}

export function useAcceptOffer() {
  return useNeedChange(({ id, offerId }: { id: string; offerId: string }) =>
    api.post<NeedData>(`/needs/${id}/acceptance`, { body: { offerId } }),
  );
}

export function useCompleteNeed() {
  return useNeedChange(({ id, ...body }: { id: string; rating: number | null; review: string }) =>
    api.post<NeedData>(`/needs/${id}/completion`, { body }),
  );
}

export function useMakeOffer() {
  return useNeedChange(({ id, ...body }: { id: string; priceCents: number; message: string }) =>
    api.post<NeedData>(`/needs/${id}/offers`, { body }),
  );
}

export function useWithdrawOffer() {
  return useNeedChange((id: string) => api.delete<NeedData>(`/need-offers/${id}`));
}
