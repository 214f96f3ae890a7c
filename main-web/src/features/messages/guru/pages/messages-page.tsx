import { LockKeyhole, MessageCircle } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { useImpersonation } from "@/lib/impersonation";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { PageTitle } from "@/components/ui/page-header";
import { EmptyState } from "@/components/ui/state";
import { MessagesFrame } from "../../components/messages-frame";

/** A guru's conversations with neighbors. Staff who look at the console do not see them. */
export function MessagesPage() {
  const isOn = useFlag("messaging");
  const isImpersonating = useImpersonation() !== null;
  if (isOn && !isImpersonating) return <MessagesFrame side="guru" />;
  return (
    <PageHead title="Messages" description="Your conversations with neighbors.">
      <PageTitle>{isOn ? "Messages" : "Messages Coming Soon"}</PageTitle>
      {isOn ? (
        <EmptyState icon={LockKeyhole} title="Messages are private">
          Only the guru and the neighbors they write with can read them. A report shows staff its last 10 messages.
        </EmptyState>
      ) : (
        <EmptyState
          icon={MessageCircle}
          title="Messages are turned off right now"
          action={
            <Button asChild variant="secondary" size="sm">
              <Link to={paths.guruLeads}>Open your leads</Link>
            </Button>
          }
        >
          Neighbors can reach you with the contact form of your site.
        </EmptyState>
      )}
    </PageHead>
  );
}
