import { CopyButton } from "@/components/ui/copy-button";
import styles from "./domains.module.css";
import type { DnsRecord } from "../lib/types";

/** DNS records to set, with buttons that copy names and values. */
export function DnsRecords({ label, records }: { label: string; records: DnsRecord[] }) {
  return (
    <ul className={styles.records} aria-label={label}>
      {records.map(({ type, name, host, value }) => (
        <li key={type + name + value}>
          <dl className={styles.record}>
            <dt>Type</dt>
            <dd>{type}</dd>
            <dt>Name</dt>
            <dd>
              <code>{name}</code>
              <CopyButton text={name} what={`the name of the ${type} record`} />
            </dd>
            <dt>or Host</dt>
            <dd>
              <code>{host}</code>
              <CopyButton text={host} what={`the host of the ${type} record`} />
            </dd>
            <dt>Value</dt>
            <dd>
              <code>{value}</code>
              <CopyButton text={value} what={`the value of the ${type} record`} />
            </dd>
          </dl>
        </li>
      ))}
    </ul>
  );
}
