import type { ReactNode } from "react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";

type ProfileLinkProps = { handle: string; className?: string; children: ReactNode };

/** A link to a neighbor's profile, or only its text while there are no profiles (flag `userProfiles`). */
export function ProfileLink({ handle, className, children }: ProfileLinkProps) {
  if (!useFlag("userProfiles")) return <>{children}</>;
  return (
    <Link to={generatePath(paths.publicProfile, { handle })} {...(className && { className })}>
      {children}
    </Link>
  );
}
