import { useImpersonation } from "@/lib/impersonation";
import { useRecipient } from "../api/get-recipient";
import type { Recipient, Side } from "../lib/types";
import { MessageLink } from "./message-link";

type RecipientLinkProps = { to: Recipient; name: string; side?: Side };

/**
 * The link to a first message, where it is not known yet whether the other one has an account: else it is absent. Staff
 * who look at a console have none.
 */
export function RecipientLink(props: RecipientLinkProps) {
  return useImpersonation() === null ? <KnownLink {...props} /> : null;
}

function KnownLink(props: RecipientLinkProps) {
  const recipient = useRecipient(props.to);
  return recipient.data?.canWrite ? <MessageLink {...props} /> : null;
}
