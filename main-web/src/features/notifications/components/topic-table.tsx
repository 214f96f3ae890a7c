import { useId } from "react";
import { Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Switch } from "@/components/ui/switch";
import { useUpdateHours, type Hours } from "../api/hours";
import { useUpdateTopic, type MailMode, type Topic } from "../api/topics";
import { DEFAULT_DIGEST_AT } from "../lib/minutes";
import { TopicIcon } from "../lib/topic-icon";
import styles from "./topic-table.module.css";
import { browserZone } from "@porchlight/shared/format/dates";

const MAIL_TEXTS: Record<MailMode, string> = { now: "At once", daily: "Daily digest", never: "Never" };

/** The kinds of notifications and how each reaches the user. A table; on the phone each kind is a card. */
export function TopicTable({ topics, hours }: { topics: Topic[]; hours: Hours | undefined }) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">What reaches you, and how</caption>
      <thead className={styles.head}>
        <tr>
          <th scope="col">About</th>
          <th scope="col">Email</th>
          <th scope="col">Devices</th>
        </tr>
      </thead>
      <tbody>
        {topics.map((topic) => (
          <TopicRow key={topic.kind} topic={topic} hours={hours} />
        ))}
      </tbody>
    </table>
  );
}

function TopicRow({ topic, hours }: { topic: Topic; hours: Hours | undefined }) {
  const id = useId();
  const update = useUpdateTopic();
  const updateHours = useUpdateHours();
  const wanted = update.isPending ? update.variables : null;
  const mail = wanted?.mail ?? topic.mail;
  const push = wanted?.push ?? topic.push;

  function changeMail(value: MailMode) {
    update.mutate({ kind: topic.kind, mail: value });
    // The digest comes by the user's clocks, which the server does not know before.
    if (value === "daily" && hours?.zone === "")
      updateHours.mutate({ ...hours, zone: browserZone(), digestAt: DEFAULT_DIGEST_AT });
  }

  return (
    <tr className={styles.row}>
      <th scope="row" className={styles.topic}>
        <span className={styles.icon}>
          <TopicIcon kind={topic.kind} />
        </span>
        <span className={styles.words}>
          <span id={id}>{topic.title}</span>
          <span className={styles.about}>{topic.description}</span>
          {update.isError && <Notice tone="danger">We couldn't save this. {update.error.message}</Notice>}
        </span>
      </th>
      <td className={styles.mail}>
        <span className={styles.label} aria-hidden="true">
          Email
        </span>
        {topic.mailOptions.length > 1 ? (
          <Select
            aria-label={`Email: ${topic.title}`}
            value={mail}
            aria-busy={update.isPending || undefined}
            onChange={(event) => changeMail(event.target.value as MailMode)}
          >
            {topic.mailOptions.map((option) => (
              <option key={option} value={option}>
                {topic.kind === "digest" && option === "now" ? "On" : MAIL_TEXTS[option]}
              </option>
            ))}
          </Select>
        ) : (
          <span className={styles.fixed}>Always</span>
        )}
      </td>
      <td className={styles.push}>
        {push === null ? (
          <span className="visually-hidden">By email only</span>
        ) : (
          <>
            <span className={styles.label} aria-hidden="true">
              Devices
            </span>
            <Switch
              aria-label={`Devices: ${topic.title}`}
              checked={push}
              aria-busy={update.isPending || undefined}
              onChange={(event) => {
                if (!update.isPending) update.mutate({ kind: topic.kind, push: event.target.checked });
              }}
            />
          </>
        )}
      </td>
    </tr>
  );
}
