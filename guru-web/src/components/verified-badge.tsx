import { Icon } from "./ui/icon";

/** Badge of a guru whose required documents are all approved. */
export function VerifiedBadge() {
  return (
    <strong className="verified-badge">
      <Icon name="badge-check" />
      Verified
    </strong>
  );
}
