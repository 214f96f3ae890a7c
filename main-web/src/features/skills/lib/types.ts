export type RingResponse = "accepted" | "declined";
export type SwapRingMember = {
  /** Null for a profile that is private. */
  handle: string | null;
  name: string;
  teaches: string;
  answer: RingResponse | null;
  you: boolean;
};
/** Three users, each of whom teaches the next; the last one teaches the first. */
export type SwapRing = { id: string; state: "proposed" | "agreed"; times: string[]; members: SwapRingMember[] };
export type SwapRingList = { rings: SwapRing[] };
