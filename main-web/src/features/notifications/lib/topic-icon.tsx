import {
  Bell,
  CalendarCheck,
  CalendarDays,
  Clock,
  FileText,
  HandHelping,
  Inbox,
  RefreshCw,
  Search,
  UserRound,
  type LucideIcon,
} from "lucide-react";

const ICONS: Partial<Record<string, LucideIcon>> = {
  account: UserRound,
  agreement: CalendarCheck,
  reminders: Clock,
  search_alerts: Search,
  needs: HandHelping,
  expired_needs: HandHelping,
  swap_rings: RefreshCw,
  documents: FileText,
  agenda: CalendarDays,
  leads: Inbox,
};

/** The icon of a kind of notification. */
export function TopicIcon({ kind }: { kind: string }) {
  const Icon = ICONS[kind] ?? Bell;
  return <Icon size={18} aria-hidden="true" />;
}
