import { CalendarPlus } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import type { LoginState } from "@/lib/login-redirect";
import { useSession } from "@/lib/session/session-context";
import { Button } from "@/components/ui/button";

type AskLinkProps = {
  /** The listing, by its id, or the neighbor whose listings one chooses from, by their handle. */
  to: { offer: string } | { neighbor: string };
  /** The listing's title, "" if it is still to be chosen. */
  skill: string;
  name: string;
  variant?: "primary" | "secondary";
  size?: "sm" | "md";
};

/** "Ask for a session": leads to the page that proposes times. Signed-out visitors sign in first. */
export function AskLink({ to, skill, name, variant = "secondary", size = "sm" }: AskLinkProps) {
  const session = useSession();
  if (!useFlag("booking")) return null;
  const address = `${paths.askForSession}?${new URLSearchParams(to).toString()}`;
  const login: LoginState = { from: address, message: `Please sign in to ask ${name} for a session.` };
  const content = (
    <>
      <CalendarPlus size={16} aria-hidden="true" />
      Ask for a session
      <span className="visually-hidden"> with {skill ? `${name}: ${skill}` : name}</span>
    </>
  );
  return (
    <Button asChild variant={variant} size={size}>
      {session.status === "signed-in" ? (
        <Link to={address}>{content}</Link>
      ) : (
        <Link to={paths.login} state={login}>
          {content}
        </Link>
      )}
    </Button>
  );
}
