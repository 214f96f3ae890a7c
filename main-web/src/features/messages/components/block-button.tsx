import { Ban } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { useSession } from "@/lib/session/session-context";
import { toast } from "@/lib/toast-store";
import { Button } from "@/components/ui/button";
import { useBlockNeighbor } from "../api/block-neighbor";
import { BlockConfirm } from "./block-dialog";

/** "Block": on a neighbor's profile, for signed-in users. */
export function BlockButton({ handle, name }: { handle: string; name: string }) {
  const session = useSession();
  const navigate = useNavigate();
  const block = useBlockNeighbor();
  const [isAsking, setIsAsking] = useState(false);
  const isOn = useFlag("messaging");
  if (!isOn || session.status !== "signed-in") return null;
  const first = name.trim().split(/\s+/)[0] || "this neighbor";
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => setIsAsking(true)}>
        <Ban size={15} aria-hidden="true" />
        Block {first}
      </Button>
      {isAsking && (
        <BlockConfirm
          name={first}
          busy={block.isPending}
          onClose={() => setIsAsking(false)}
          onConfirm={() =>
            block.mutate(handle, {
              onSuccess: () => {
                toast.success(`You blocked ${first}.`);
                void navigate(paths.dashboard);
              },
              onError: (error) => toast.error(error.message),
            })
          }
        />
      )}
    </>
  );
}
