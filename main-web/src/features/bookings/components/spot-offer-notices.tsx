import { Link } from "react-router-dom";
import { LoadNotice } from "@/components/ui/load-notice";
import { Notice } from "@/components/ui/notice";
import { useWaitlist } from "../api/get-waitlist";
import { waitlistPath } from "../lib/book-page-url";
import { offerText } from "../lib/waitlist-texts";

/** A message about each spot that is kept for the user. */
export function SpotOfferNotices({ showsError }: { showsError: boolean }) {
  const waitlist = useWaitlist();
  if (!waitlist.data) return showsError && <LoadNotice what="your waitlists" queries={[waitlist]} />;
  const offers = waitlist.data.filter(({ status }) => status === "offered");
  return offers.map((entry) => (
    <Notice key={entry.id} tone="success">
      {entry.serviceName} with {entry.guruName}: {offerText(entry)} <Link to={waitlistPath(entry.id)}>View it</Link>
    </Notice>
  ));
}
