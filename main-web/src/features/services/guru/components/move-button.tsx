import { ArrowDown, ArrowUp } from "lucide-react";
import { Button } from "@/components/ui/button";
import type { Service } from "../lib/types";

type MoveButtonProps = {
  service: Service;
  by: -1 | 1;
  off: boolean;
  onRegister: (name: string, button: HTMLButtonElement | null) => void;
  onMove: (service: Service, by: -1 | 1) => Promise<void>;
};

/** Moves a service up or down in the list. */
export function MoveButton({ service, by, off, onRegister, onMove }: MoveButtonProps) {
  const Icon = by === -1 ? ArrowUp : ArrowDown;
  return (
    <Button
      ref={(button) => onRegister(`${service.id} ${by}`, button)}
      size="sm"
      variant="ghost"
      disabled={off}
      aria-label={`Move ${service.name} ${by === -1 ? "up" : "down"}`}
      onClick={() => void onMove(service, by)}
    >
      <Icon size={17} aria-hidden="true" />
    </Button>
  );
}
