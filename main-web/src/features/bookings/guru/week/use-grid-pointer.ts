import { useEffect, useRef, useState, type PointerEvent, type RefObject } from "react";
import { toast } from "@/lib/toast-store";
import type { CalendarEvent } from "./events";
import { followPointer } from "./follow-pointer";
import { MINUTE_MS, type Span } from "./layout";
import { moveTo, refusalOf, type Move } from "./move-state";
import { CELL_MINUTES, findStop, freeAround, type Cell, type GridDay } from "./stops";

const QUARTER_MS = 15 * MINUTE_MS;
const quarter = (time: number) => Math.round(time / QUARTER_MS) * QUARTER_MS;

type GridPointerOptions = {
  body: RefObject<HTMLElement | null>;
  days: readonly GridDay[];
  rows: number;
  now: number;
  move: Move | null;
  allowed: readonly number[];
  onMoveChange: (move: Move | null) => void;
  onMoved: (move: Move) => void;
  onFree: (time: Span) => void;
};

/** Drag an event to another time, or over an empty one to choose it. `range` is the time that is being chosen. */
export function useGridPointer({ body, days, rows, now, move, allowed, ...on }: GridPointerOptions) {
  const [range, setRange] = useState<(Span & { day: number }) | null>(null);
  // A drag outlives the render in which it began, and the allowed starts come later.
  const known = useRef(allowed);
  useEffect(() => {
    known.current = allowed;
  });
  const axes = days.map(({ axis }) => axis);

  /** Return the day and the instant at a point of the screen. */
  function timeAt({ clientX, clientY }: { clientX: number; clientY: number }) {
    const cells = [...(body.current?.querySelectorAll("[data-row='0'] > [role=gridcell]") ?? [])];
    const found = cells.findIndex((cell) => clientX < cell.getBoundingClientRect().right);
    const day = found < 0 ? axes.length - 1 : found;
    const box = body.current?.getBoundingClientRect();
    const minute = box ? ((clientY - box.top) / box.height) * rows * CELL_MINUTES : 0;
    return { day, at: (axes[day]?.from ?? 0) + minute * MINUTE_MS };
  }

  function dragEvent(pressed: PointerEvent, event: CalendarEvent, day: number) {
    const grabbed = timeAt(pressed).at - event.from;
    const refusal = refusalOf(event, now);
    let moving: Move = { event, day, startsAt: event.from, phase: "dragging" };
    followPointer(pressed, {
      onDrag: (pointer) => {
        if (refusal) return;
        const { day: over, at } = timeAt(pointer);
        moving = moveTo(moving, over, at - grabbed, axes, known.current);
        on.onMoveChange(moving);
      },
      onDrop: () => {
        if (refusal) toast.info(refusal);
        else if (moving.startsAt === event.from) on.onMoveChange(null);
        else on.onMoved(moving);
      },
      onCancel: () => {
        if (!refusal) on.onMoveChange({ ...moving, phase: "returning" });
      },
    });
  }

  function dragRange(pressed: PointerEvent, cell: Cell, day: number) {
    const bounds = freeAround(cell, days[day]);
    if (!bounds) return;
    const within = (time: number) => Math.min(Math.max(time, bounds.from), bounds.until);
    const start = within(Math.floor(timeAt(pressed).at / QUARTER_MS) * QUARTER_MS);
    let chosen: Span = { from: start, until: start };
    followPointer(pressed, {
      onDrag: ({ clientY }) => {
        const end = within(quarter(timeAt({ clientX: pressed.clientX, clientY }).at));
        chosen = { from: Math.min(start, end), until: Math.max(start, end) };
        setRange({ ...chosen, day });
      },
      onDrop: () => {
        setRange(null);
        if (chosen.from < chosen.until) on.onFree(chosen);
      },
      onCancel: () => setRange(null),
    });
  }

  function handlePress(pressed: PointerEvent<HTMLElement>) {
    const found = findStop(days, pressed.target);
    if (!found || (move && move.phase !== "returning")) return;
    if (found.event) dragEvent(pressed, found.event, found.day);
    else dragRange(pressed, found.cell, found.day);
  }

  return { range, handlePress };
}
