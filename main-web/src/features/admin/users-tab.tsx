import { Users } from "lucide-react";
import { useState } from "react";
import { useAddressText } from "../../kit/use-address-text";
import { formatDay } from "../../ui/format-date";
import { ListFilters, ListView } from "./list-view";
import { NameButton } from "./name-button";
import { PersonDialog } from "./person-dialog";
import { StatusBadge } from "./status-badge";
import type { PersonRow } from "./types";
import { useChoice } from "./use-choice";
import { useList } from "./use-list";

/** All neighbors, searchable; one of them opens with what staff may do. */
export function UsersTab() {
  const [search, setSearch] = useAddressText("search");
  const [status, setStatus] = useChoice("status", ["", "active", "suspended"]);
  const [open, setOpen] = useState<PersonRow | null>(null);
  const list = useList<PersonRow>("users", { search, status });
  return (
    <>
      <ListFilters
        search={{ label: "Search by name, email or handle", value: search, onChange: setSearch }}
        choices={[
          {
            label: "Status",
            value: status,
            onChange: setStatus,
            options: [
              ["", "All"],
              ["active", "Active"],
              ["suspended", "Suspended"],
            ],
          },
        ]}
      />
      <ListView
        list={list}
        label="Users"
        trouble="The users could not be loaded"
        empty={{ icon: Users, title: "Nobody has signed up yet." }}
        filtered={search !== "" || status !== ""}
        head={["Name", "Email", "Guru site", "Status", "Since"]}
        row={(person) => ({
          key: person.id,
          cells: [
            <NameButton
              key="name"
              name={person.displayName || person.handle || "No name yet"}
              note={person.handle && `@${person.handle}`}
              onOpen={() => setOpen(person)}
            />,
            person.email,
            person.guru ?? "–",
            <StatusBadge key="status" status={person.status} />,
            formatDay(person.createdAt),
          ],
        })}
      />
      {open && <PersonDialog person={open} onClose={() => setOpen(null)} />}
    </>
  );
}
