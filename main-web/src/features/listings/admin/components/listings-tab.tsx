import { Sparkles } from "lucide-react";
import { useState } from "react";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { ListFilters, ListView, NameButton, StatusBadge } from "@/features/admin/contract";
import { useSearchParamsChoice } from "@/lib/use-search-params-choice";
import { ListingDialog } from "./listing-dialog";
import type { ListingRow } from "../lib/types";
import { useListings } from "../api/get-listings";
import { formatDate } from "@porchlight/shared/format/dates";

/** The listings; each row opens its details. */
export function ListingsTab() {
  const [search, setSearch] = useSearchParamsText("search");
  const [hidden, setHidden] = useSearchParamsChoice("hidden", ["", "true"]);
  const [open, setOpen] = useState<ListingRow | null>(null);
  const list = useListings({ search, hidden: hidden === "true" || undefined });
  return (
    <>
      <ListFilters
        search={{ label: "Search by skill", value: search, onChange: setSearch }}
        choices={[
          {
            label: "Show",
            value: hidden,
            onChange: setHidden,
            options: [
              ["", "All"],
              ["true", "Hidden by staff"],
            ],
          },
        ]}
      />
      <ListView
        list={list}
        label="Listings"
        errorTitle="We couldn't load listings"
        empty={{ icon: Sparkles, title: "No listings yet." }}
        filtered={search !== "" || hidden !== ""}
        head={["Skill", "By", "Level", "Status", "Since"]}
        row={(listing) => ({
          key: listing.id,
          cells: [
            <NameButton key="name" name={listing.title} onOpen={() => setOpen(listing)} />,
            listing.ownerName,
            listing.level ?? "–",
            <StatusBadge key="status" status={listing.status} />,
            formatDate(listing.createdAt),
          ],
        })}
      />
      {open && <ListingDialog listing={open} onClose={() => setOpen(null)} />}
    </>
  );
}
