import { Users } from "lucide-react";
import { useState } from "react";
import { useSearchParamsText } from "@/lib/use-search-params-text";
import { ListFilters, ListView, NameButton, StatusBadge } from "@/features/admin/contract";
import { useSearchParamsChoice } from "@/lib/use-search-params-choice";
import { UserDialog } from "./user-dialog";
import type { UserRow } from "../lib/types";
import { useUsers } from "../api/get-users";
import { formatDate } from "@porchlight/shared/format/dates";

/** All users; each row opens its details. */
export function UsersTab() {
  const [search, setSearch] = useSearchParamsText("search");
  const [status, setStatus] = useSearchParamsChoice("status", ["", "active", "suspended"]);
  const [open, setOpen] = useState<UserRow | null>(null);
  const list = useUsers({ search, status });
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
        errorTitle="We couldn't load users"
        empty={{ icon: Users, title: "No users yet." }}
        filtered={search !== "" || status !== ""}
        head={["Name", "Email", "Guru site", "Status", "Since"]}
        row={(user) => ({
          key: user.id,
          cells: [
            <NameButton
              key="name"
              name={user.displayName || user.handle || "No name yet"}
              note={user.handle && `@${user.handle}`}
              onOpen={() => setOpen(user)}
            />,
            user.email,
            user.guru ?? "–",
            <StatusBadge key="status" status={user.status} />,
            formatDate(user.createdAt),
          ],
        })}
      />
      {open && <UserDialog user={open} onClose={() => setOpen(null)} />}
    </>
  );
}
