import { MessageCircle } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import type { LoginState } from "@/lib/login-redirect";
import { useSession } from "@/lib/session/session-context";
import { Button } from "@/components/ui/button";
import type { Recipient, Side } from "../lib/types";

type MessageLinkProps = {
  /** What both have in common, by which the other one is found. */
  to: Recipient;
  /** Whose name the label has; "" where it is unknown. */
  name: string;
  side?: Side;
  variant?: "primary" | "secondary" | "ghost";
  /** The label's name stays whole, such as a guru's. */
  isWholeName?: boolean;
  /** A sentence to begin with, after "Hi"; the writer can change it. */
  firstWords?: string;
};

/**
 * "Message {name}": leads to the conversation, or to a first message. Signed-out visitors sign in first. Shows nothing
 * while messages are switched off.
 */
export function MessageLink({
  to,
  name,
  side = "person",
  variant = "secondary",
  isWholeName = false,
  firstWords = "",
}: MessageLinkProps) {
  const session = useSession();
  if (!useFlag("messaging")) return null;
  const shown = (isWholeName ? name : name.trim().split(/\s+/)[0]) || "this neighbor";
  const base = side === "guru" ? paths.guruMessages : paths.messages;
  const address = `${base}/new?to=${encodeURIComponent(`${to.kind}:${to.id}`)}`;
  const login: LoginState = { from: address, message: `Sign in to message ${shown}` };
  return (
    <Button asChild variant={variant} size="sm">
      {session.status === "signed-in" ? (
        <Link to={address} state={{ draft: firstWords && `Hi ${shown}, ${firstWords} ` }}>
          <MessageCircle size={16} aria-hidden="true" />
          Message {shown}
        </Link>
      ) : (
        <Link to={paths.login} state={login}>
          <MessageCircle size={16} aria-hidden="true" />
          Message {shown}
        </Link>
      )}
    </Button>
  );
}
