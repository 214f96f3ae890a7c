import { MessageCircle } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { generatePath, useNavigate, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { useSession } from "@/lib/session/session-context";
import { Button } from "@/components/ui/button";

const AskDialog = lazy(async () => ({ default: (await import("./ask-dialog")).AskDialog }));
/** In the address of a profile: opens the dialog, for visitors who come back from signing in. */
const ASK = "ask";

type AskButtonProps = {
  handle: string;
  name: string;
  variant?: "primary" | "secondary";
  /** A sentence to begin with, after "Hi"; the asker can change it. */
  firstWords?: string;
};

/** "Ask {first name}": opens a dialog that sends the neighbor a question. Signed-out visitors sign in first. */
export function AskButton({ handle, name, variant = "secondary", firstWords = "" }: AskButtonProps) {
  const session = useSession();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const isSignedIn = session.status === "signed-in";
  const [open, setOpen] = useState(isSignedIn && params.get(ASK) === handle);
  // Kept here, so that closing the dialog loses nothing.
  const [draft, setDraft] = useState(firstWords && `Hi ${firstName(name)}, ${firstWords} `);
  const label = `Ask ${firstName(name)}`;

  function press() {
    if (isSignedIn) {
      setOpen(true);
      return;
    }
    const from = `${generatePath(paths.publicProfile, { handle })}?${new URLSearchParams({ [ASK]: handle }).toString()}`;
    void navigate(paths.login, { state: { from, message: `Sign in to ask ${firstName(name)}` } });
  }

  return (
    <>
      <Button variant={variant} size="sm" onClick={press}>
        <MessageCircle size={16} aria-hidden="true" />
        {label}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <AskDialog
            handle={handle}
            title={label}
            draft={draft}
            onDraftChange={setDraft}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

function firstName(name: string) {
  return name.trim().split(/\s+/)[0] || "this neighbor";
}
