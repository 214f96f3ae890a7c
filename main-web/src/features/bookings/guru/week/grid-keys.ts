import type { KeyboardEvent } from "react";
import { toast } from "@/lib/toast-store";
import { moveByKey, refusalOf, type Move } from "./move-state";
import { findStop, stopOfKey, type Cell, type GridDay } from "./stops";

type GridKeysOptions = {
  days: readonly GridDay[];
  now: number;
  move: Move | null;
  allowed: readonly number[];
  onMoveChange: (move: Move | null) => void;
  onMoved: (move: Move) => void;
  onCell: (day: number, cell: Cell) => void;
  onFocus: (key: string) => void;
  onPage: (direction: 1 | -1) => void;
};

/** Return what the grid does with a key: move the focus, or the event that is being moved, or choose an empty time. */
export function gridKeys({ days, now, move, allowed, ...on }: GridKeysOptions) {
  const axes = days.map(({ axis }) => axis);

  /** Return whether the key belongs to the move. */
  function moveKey(key: string, moving: Move): boolean {
    const next = moveByKey(moving, key, axes, allowed);
    if (next) on.onMoveChange(next);
    else if (key === "Enter") on.onMoved(moving);
    else if (key === "Escape") on.onMoveChange(null);
    else return false;
    return true;
  }

  function gridKey(pressed: KeyboardEvent): boolean {
    const found = findStop(days, pressed.target);
    if (!found) return false;
    if (pressed.key === "PageUp" || pressed.key === "PageDown") {
      on.onPage(pressed.key === "PageUp" ? -1 : 1);
      return true;
    }
    if (found.event && pressed.key.toLowerCase() === "m" && !pressed.ctrlKey) {
      const refusal = refusalOf(found.event, now);
      if (refusal) toast.info(refusal);
      else on.onMoveChange({ event: found.event, day: found.day, startsAt: found.event.from, phase: "keys" });
      return true;
    }
    if (found.cell && (pressed.key === "Enter" || pressed.key === " ")) {
      on.onCell(found.day, found.cell);
      return true;
    }
    const at = days[found.day]?.stops.find(({ key }) => key === found.key);
    const to =
      at &&
      stopOfKey(
        pressed,
        at,
        days.map(({ stops }) => stops),
      );
    if (to) on.onFocus(to.key);
    return to !== undefined || pressed.key.startsWith("Arrow");
  }

  return function handleKeyDown(pressed: KeyboardEvent) {
    if (pressed.metaKey || pressed.altKey) return;
    if (move?.phase === "keys" && pressed.key === "Tab") on.onMoveChange(null);
    const isUsed = move?.phase === "keys" ? moveKey(pressed.key, move) : gridKey(pressed);
    if (!isUsed) return;
    pressed.preventDefault();
    pressed.stopPropagation();
  };
}
