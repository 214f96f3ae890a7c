import { Link } from "react-router-dom";
import { Block, BlockEmpty, BlockList, BlockLoading, BlockRow } from "@/components/dashboard/block";
import { ProfileLink } from "@/components/profile-link";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { MessageLink } from "@/features/messages/contract";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { LoadNotice } from "@/components/ui/load-notice";
import { useMatches, type Match } from "../api/get-matches";
import { DETAILS_SHOWN, detailLabel, MATCHES_ADDRESS } from "../lib/labels";
import { useSeenMatches } from "../lib/seen-matches";

const MAX_SHOWN = 3;

/** A dashboard block: the best matches, first those that the user has not seen yet. */
export function NewMatches() {
  const userId = useCurrentUserId();
  const canListSkills = useFlag("skillListing");
  const matches = useMatches(userId || null);
  const seen = useSeenMatches(userId);
  const isNew = ({ user }: Match) => seen !== undefined && user?.handle !== undefined && !seen.includes(user.handle);
  const all = matches.data?.matches ?? [];
  const sorted = [...all.filter(isNew), ...all.filter((match) => !isNew(match))];
  return (
    <Block title="People you match with" link={all.length > 0 && <Link to={MATCHES_ADDRESS}>All matches</Link>}>
      <LoadNotice what="your matches" queries={[matches]} />
      {matches.isLoading && <BlockLoading height="5rem" />}
      {matches.data && all.length === 0 && (
        <BlockEmpty
          action={
            <Button asChild variant="secondary" size="sm">
              <Link to={canListSkills ? paths.mySkills : paths.profile}>Add your skills</Link>
            </Button>
          }
        >
          No neighbor fits yet. Say what you teach and want to learn, and we look for neighbors.
        </BlockEmpty>
      )}
      {sorted.length > 0 && (
        <BlockList>
          {sorted.slice(0, MAX_SHOWN).map((match, index) => (
            <MatchRow key={match.user?.handle ?? index} match={match} isNew={isNew(match)} />
          ))}
        </BlockList>
      )}
    </Block>
  );
}

function MatchRow({ match, isNew }: { match: Match; isNew: boolean }) {
  const name = match.user?.name?.trim() || "Anonymous User";
  const handle = match.user?.handle;
  const reasons = match.matchDetails.slice(0, DETAILS_SHOWN).map(detailLabel).filter(Boolean);
  return (
    <BlockRow
      as="li"
      picture={<Avatar name={name} src={match.user?.photoURL ?? ""} />}
      title={
        <>
          {handle ? <ProfileLink handle={handle}>{name}</ProfileLink> : name}{" "}
          {isNew && <Badge tone="warning">New</Badge>}
        </>
      }
      text={reasons.join(" · ")}
      action={handle && <MessageLink to={{ kind: "match", id: handle }} name={name} />}
    />
  );
}
