import { paths } from "@/config/paths";
import { booksState } from "@/features/money/contract";
import type { AdminOverview } from "../../lib/types";
import { formatRelativeTime } from "@porchlight/shared/format/dates";
import { formatNumber } from "@porchlight/shared/format/numbers";

export type OverviewRow = {
  label: string;
  value: string;
  note: string;
  to: string;
  tone: "good" | "warning" | "danger";
};

/** The server counts to here. */
const MAX_COUNT = 1000;
const MINUTE_MS = 60_000;
const MAX_QUEUE_AGE_MS = 5 * MINUTE_MS;
/** A night and some hours, for a nightly backup that takes its time. */
const MAX_BACKUP_AGE_MS = 30 * 60 * MINUTE_MS;

const maximum = (count: number) => (count >= MAX_COUNT ? `${formatNumber(MAX_COUNT)}+` : formatNumber(count));
const oldest = (at: string | null) => (at ? `Oldest: ${formatRelativeTime(at)}` : "");

function waitingRow(label: string, to: string, { count, oldestAt }: AdminOverview["documents"]): OverviewRow {
  const value = count > 0 ? `${maximum(count)} waiting` : "None waiting";
  return { label, to, value, note: oldest(oldestAt), tone: count > 0 ? "warning" : "good" };
}

/** What waits for a decision of staff. Money has rows only when something waits. */
export function waitingRows({ documents, reports, riskReviews, money }: AdminOverview): OverviewRow[] {
  const moneyRow = (label: string, tab: string, count: number) =>
    count > 0 ? [waitingRow(label, paths.adminMoney + tab, { count, oldestAt: null })] : [];
  return [
    waitingRow("Documents", `${paths.admin}?tab=documents`, documents),
    waitingRow("Open reports", `${paths.admin}?tab=reports`, reports),
    waitingRow("Risk reviews", paths.adminRisks, riskReviews),
    ...moneyRow("Money findings", "?tab=findings", money.openFindings),
    ...moneyRow("Disputes", "?tab=disputes", money.openDisputes),
    ...moneyRow("Adjustments", "?tab=adjustments", money.waitingAdjustments),
  ];
}

/** Stripe's rows: only when something is off. */
function moneyRows({ money }: AdminOverview, now: number): OverviewRow[] {
  const { text, isOff, isLate } = booksState(money, now);
  const rows: OverviewRow[] = [];
  if (isOff || isLate) {
    const note = isLate ? "The books are compared every hour. Is the worker running?" : "";
    rows.push({
      label: "Stripe",
      value: text,
      note,
      to: `${paths.adminMoney}?tab=findings`,
      tone: isOff ? "danger" : "warning",
    });
  }
  if (money.failedEvents > 0) {
    const value = `${maximum(money.failedEvents)} failed`;
    rows.push({ label: "Stripe events", value, note: "", to: `${paths.adminMoney}?tab=events`, tone: "danger" });
  }
  return rows;
}

/** What can ail: emails, jobs, backups and money. */
export function healthRows(overview: AdminOverview, now = Date.now()): OverviewRow[] {
  const { failedEmails, failedJobs, jobsWaiting, lastBackupAt } = overview;
  const isLate = (at: string, limitMs: number) => now - Date.parse(at) > limitMs;
  const jobsLate = jobsWaiting.oldestAt !== null && isLate(jobsWaiting.oldestAt, MAX_QUEUE_AGE_MS);
  const backupLate = lastBackupAt === null || isLate(lastBackupAt, MAX_BACKUP_AGE_MS);
  const failed = (label: string, count: number): OverviewRow => ({
    label,
    value: count > 0 ? `${maximum(count)} failed` : "None failed",
    note: "In the last 30 days",
    to: paths.adminJobs,
    tone: count > 0 ? "danger" : "good",
  });
  return [
    failed("Emails", failedEmails),
    failed("Other jobs", failedJobs),
    {
      label: "Job queue",
      value: jobsWaiting.count > 0 ? `${maximum(jobsWaiting.count)} waiting` : "Empty",
      note: jobsLate ? `${oldest(jobsWaiting.oldestAt)}. Is the worker running?` : oldest(jobsWaiting.oldestAt),
      to: paths.adminJobs,
      tone: jobsLate ? "danger" : "good",
    },
    {
      label: "Last backup",
      value: lastBackupAt ? formatRelativeTime(lastBackupAt, now) : "None recorded",
      note: backupLate ? "Run “porchlight backup record” after each backup." : "",
      to: `${paths.adminAudit}?action=backup`,
      tone: backupLate ? "warning" : "good",
    },
    ...moneyRows(overview, now),
  ];
}
