import { lazy, Suspense, useState } from "react";
import { CalendarPlus } from "lucide-react";
import { Button } from "@/components/ui/button";
import type { CalendarFeed } from "../api/get-feeds";

const SubscribeDialog = lazy(async () => ({ default: (await import("./subscribe-dialog")).SubscribeDialog }));

/** Opens the links with which calendar programs show the user's sessions. */
export function SubscribeButton({ kind }: { kind: CalendarFeed["kind"] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        <CalendarPlus size={16} aria-hidden="true" />
        Subscribe in your calendar
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <SubscribeDialog kind={kind} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
