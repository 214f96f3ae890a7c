import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import type { Lines } from "../lib/drawing";
import type { WaiverLevel } from "../lib/levels";

export type WaiverPayload = {
  riskLevel: WaiverLevel;
  emergencyContact: { name: string; phone: string; relationship: string } | null;
  /** The server uses its own time. */
  timestamp: string;
  skillCategory: string;
  activityDescription: string;
  exchangeId: string;
  signature?: { participantName: string; typedName: string; guardian: boolean; drawn?: Lines };
  /** The versions of the texts that were read; 0 if the guru has none. */
  textVersion: number;
  guruTextVersion: number;
};
export type AcceptedWaiver = { waiverId: string; acceptedAt: string; expiresAt: string };

/** Accept a waiver. The idempotency key makes repeated attempts count once. */
export function useAcceptWaiver() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ idempotencyKey, waiver }: { idempotencyKey: string; waiver: WaiverPayload }) =>
      api.POST("/liability/waiver", { body: waiver, headers: { "Idempotency-Key": idempotencyKey } }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ["waivers", "own"] }),
    // The level or a text may have changed.
    onError: () => {
      void queries.invalidateQueries({ queryKey: ["waivers", "risk"] });
      void queries.invalidateQueries({ queryKey: ["waivers", "text"] });
    },
  });
}
