import { useState } from "react";
import { isPicture, MOST_PHOTOS, NOT_PICTURES, whyNot } from "./pictures";

type Report = (part: number) => void;

/**
 * Sends photos one after the other, for a thing that has `there` of them already and is called `thing` in words.
 * `sending` is the one on its way, with the part of it that has arrived; `refusals` say what was not taken, and why.
 */
export function usePhotoSending(thing: string, there: number, add: (photo: File, report: Report) => Promise<unknown>) {
  const [sending, setSending] = useState<{ name: string; part: number } | null>(null);
  const [refusals, setRefusals] = useState<string[]>([]);
  const room = MOST_PHOTOS - there;

  async function send(chosen: File[]) {
    const told: string[] = [];
    for (const photo of chosen.slice(0, room)) {
      if (!isPicture(photo)) {
        told.push(`${photo.name}: ${NOT_PICTURES}`);
        continue;
      }
      const report = (part: number) => setSending({ name: photo.name, part });
      report(0);
      await add(photo, report).catch((reason: unknown) => told.push(`${photo.name}: ${whyNot(reason)}`));
    }
    if (chosen.length > room) told.push(`A ${thing} has ${MOST_PHOTOS} photos at most; the others were left out.`);
    setSending(null);
    setRefusals(told);
  }

  return { room, sending, refusals, send };
}
