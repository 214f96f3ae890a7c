import { Sparkles } from "lucide-react";
import { useState } from "react";
import { useAddressText } from "../../kit/use-address-text";
import { formatDay } from "../../ui/format-date";
import { ListFilters, ListView } from "./list-view";
import { ListingDialog } from "./listing-dialog";
import { NameButton } from "./name-button";
import { StatusBadge } from "./status-badge";
import type { ListingRow } from "./types";
import { useChoice } from "./use-choice";
import { useList } from "./use-list";

/** What neighbors teach; one of them opens with what staff may do. */
export function ListingsTab() {
  const [search, setSearch] = useAddressText("search");
  const [hidden, setHidden] = useChoice("hidden", ["", "true"]);
  const [open, setOpen] = useState<ListingRow | null>(null);
  const list = useList<ListingRow>("listings", { search, hidden });
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
        trouble="The listings could not be loaded"
        empty={{ icon: Sparkles, title: "Nobody offers a skill yet." }}
        filtered={search !== "" || hidden !== ""}
        head={["Skill", "By", "Level", "Status", "Since"]}
        row={(listing) => ({
          key: listing.id,
          cells: [
            <NameButton key="name" name={listing.title} onOpen={() => setOpen(listing)} />,
            listing.ownerName,
            listing.level ?? "–",
            <StatusBadge key="status" status={listing.status} />,
            formatDay(listing.createdAt),
          ],
        })}
      />
      {open && <ListingDialog listing={open} onClose={() => setOpen(null)} />}
    </>
  );
}
