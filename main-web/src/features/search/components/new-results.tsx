import { BellRing } from "lucide-react";
import { Link } from "react-router-dom";
import { Block, BlockEmpty, BlockList, BlockLoading, BlockRow } from "@/components/dashboard/block";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { Button } from "@/components/ui/button";
import { LoadNotice } from "@/components/ui/load-notice";
import { useNewResults } from "../api/get-new-results";
import { savedSearchAddress } from "../lib/saved-search-address";
import { pluralize } from "@porchlight/shared/format/numbers";

/** A dashboard block: what the user's saved searches found in the last days. */
export function NewResults() {
  const isOn = useFlag("skillListing");
  const found = useNewResults();
  if (!isOn) return null;
  const searches = found.data?.searches ?? [];
  return (
    <Block title="New in your saved searches">
      <LoadNotice what="your saved searches" queries={[found]} />
      {found.isLoading && <BlockLoading height="5rem" />}
      {found.data && searches.length === 0 && (
        <BlockEmpty
          action={
            <Button asChild variant="secondary" size="sm">
              <Link to={paths.search}>Search</Link>
            </Button>
          }
        >
          Nothing new this week. Save a search, and what it finds shows up here.
        </BlockEmpty>
      )}
      {searches.length > 0 && (
        <BlockList>
          {searches.map((search) => (
            <BlockRow
              as="li"
              key={search.id}
              icon={BellRing}
              title={`“${search.q}”: ${pluralize(search.results, "new result")}`}
              text={search.results === 1 ? search.first : `${search.first} and more`}
              action={
                <Button asChild variant="secondary" size="sm">
                  <Link to={savedSearchAddress(search)}>
                    See {search.results === 1 ? "it" : "them"}
                    <span className="visually-hidden">: {search.q}</span>
                  </Link>
                </Button>
              }
            />
          ))}
        </BlockList>
      )}
    </Block>
  );
}
