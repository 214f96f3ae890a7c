import { useId, useState, type SubmitEvent } from "react";
import { Button } from "@/components/ui/button";
import { CheckField } from "@/components/ui/check-field";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, PasswordInput } from "@/components/ui/field";
import { Hint } from "@/components/ui/hint";
import { Notice } from "@/components/ui/notice";
import { RadioGroup } from "@/components/ui/radio-group";
import { toast } from "@/lib/toast-store";
import { useCreateBusySource } from "../api/create-busy-source";
import { useFindAccountCalendars } from "../api/find-account-calendars";
import { ADDRESS_HINTS, SERVERS } from "../lib/busy-source-texts";
import type { AccountCalendar } from "../lib/types";
import styles from "./hours.module.css";
import { fieldErrors } from "@porchlight/shared/client";

const FORM = "connect-calendar-form";
const WAYS = [
  { value: "ics", label: "By its address", hint: "Google Calendar, Outlook, and most others" },
  { value: "caldav", label: "With an app password", hint: "iCloud, Fastmail, Nextcloud" },
] as const;
type Way = (typeof WAYS)[number]["value"];
type ConnectDialogProps = { most: number; onClose: () => void };

/** Connect a calendar by its address, or calendars of an account. `most`: how many more the guru can connect. */
export function ConnectDialog({ most, onClose }: ConnectDialogProps) {
  const [way, setWay] = useState<Way>("ics");
  const [isBusy, setIsBusy] = useState(false);
  const [found, setFound] = useState<AccountCalendar[]>();
  const action = way === "caldav" && !found ? "Find calendars" : "Connect";
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Connect a calendar"
      description="We read when you're busy, every 15 minutes. We never keep titles, places or people."
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={FORM} loading={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <div className={styles.connect}>
        <RadioGroup label="How" choices={WAYS} value={way} onChange={setWay} />
        {way === "ics" ? (
          <AddressForm onBusy={setIsBusy} onClose={onClose} />
        ) : (
          <AccountForm most={most} found={found} onFound={setFound} onBusy={setIsBusy} onClose={onClose} />
        )}
      </div>
    </Dialog>
  );
}

type FormProps = { onBusy: (isBusy: boolean) => void; onClose: () => void };

function AddressForm({ onBusy, onClose }: FormProps) {
  const [typed, setTyped] = useState({ name: "", url: "" });
  const [allDayBlocks, setAllDayBlocks] = useState(true);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  const create = useCreateBusySource();
  const checkbox = useId();

  function set(part: Partial<typeof typed>) {
    setTyped({ ...typed, ...part });
    setProblems({});
    setIdempotencyKey(crypto.randomUUID());
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const name = typed.name.trim();
    const url = typed.url.trim();
    if (!name || !url) {
      setProblems({
        ...(!name && { name: "Enter a name, such as Work." }),
        ...(!url && { url: "Paste the address of your calendar." }),
      });
      return;
    }
    onBusy(true);
    try {
      await create.mutateAsync({
        idempotencyKey,
        source: { kind: "ics", name, url, user: "", password: "", allDayBlocks },
      });
      toast.success(`Connected. We're reading ‘${name}’ now.`);
      onClose();
    } catch (reason) {
      setProblems(fieldErrors(reason));
    } finally {
      onBusy(false);
    }
  }

  const failure = Object.keys(fieldErrors(create.error)).length > 0 ? null : create.error;
  return (
    <form id={FORM} className={styles.connect} onSubmit={(event) => void submit(event)} noValidate>
      {failure && <Notice tone="danger">{failure.message}</Notice>}
      <Field label="Name" hint="Only you see it, such as Work or Family." error={problems.name}>
        <Input name="name" maxLength={60} value={typed.name} onChange={(event) => set({ name: event.target.value })} />
      </Field>
      <Field label="Address" hint="It starts with https:// or webcal://." error={problems.url ?? problems.password}>
        <Input
          name="url"
          type="url"
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          autoComplete="off"
          maxLength={2000}
          value={typed.url}
          onChange={(event) => set({ url: event.target.value })}
        />
      </Field>
      <CheckField
        id={checkbox}
        label="All-day events keep the whole day busy"
        checked={allDayBlocks}
        onChange={(event) => setAllDayBlocks(event.target.checked)}
      />
      <details>
        <summary>Where do I find the address?</summary>
        <dl className={styles.hints}>
          {ADDRESS_HINTS.map(({ provider, steps }) => (
            <div key={provider}>
              <dt>{provider}</dt>
              <dd>{steps}</dd>
            </div>
          ))}
        </dl>
      </details>
    </form>
  );
}

type Account = { url: string; user: string; password: string };
type AccountFormProps = FormProps & {
  most: number;
  found: AccountCalendar[] | undefined;
  onFound: (found: AccountCalendar[] | undefined) => void;
};

function AccountForm({ most, found, onFound, onBusy, onClose }: AccountFormProps) {
  const [server, setServer] = useState<string>(SERVERS[0].name);
  const [account, setAccount] = useState<Account>({
    url: SERVERS[0].url,
    user: "",
    password: "",
  });
  const [chosen, setChosen] = useState<string[]>([]);
  const [allDayBlocks, setAllDayBlocks] = useState(true);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [keys] = useState(() => new Map<string, string>());
  const [connected] = useState(() => new Set<string>());
  const find = useFindAccountCalendars();
  const create = useCreateBusySource();
  const checkbox = useId();
  const hint = SERVERS.find(({ name }) => name === server)?.hint ?? "";

  function set(part: Partial<typeof account>) {
    setAccount({ ...account, ...part });
    setProblems({});
    onFound(undefined);
  }

  function chooseServer(name: string) {
    setServer(name);
    set({ url: SERVERS.find((one) => one.name === name)?.url ?? "" });
  }

  async function findCalendars() {
    const missing = {
      ...(!account.url.trim() && { url: "Enter the address of your server." }),
      ...(!account.user.trim() && { user: "Enter your user name." }),
      ...(!account.password && { password: "Enter the app password." }),
    };
    if (Object.keys(missing).length > 0) {
      setProblems(missing);
      return;
    }
    const { calendars } = await find.mutateAsync({ ...account, url: account.url.trim(), user: account.user.trim() });
    onFound(calendars);
    setChosen(calendars.slice(0, 1).map(({ url }) => url));
  }

  async function connect(calendars: AccountCalendar[]) {
    const wanted = calendars.filter(({ url }) => chosen.includes(url));
    if (wanted.length === 0) {
      setProblems({ chosen: "Choose at least one calendar." });
      return;
    }
    const missing = wanted.filter(({ url }) => !connected.has(url));
    if (missing.length > most) {
      setProblems({ chosen: `You can connect ${most} more.` });
      return;
    }
    for (const { url, name } of missing) {
      const idempotencyKey = keys.get(url) ?? crypto.randomUUID();
      keys.set(url, idempotencyKey);
      const source = {
        kind: "caldav" as const,
        name,
        url,
        user: account.user.trim(),
        password: account.password,
        allDayBlocks,
      };
      await create.mutateAsync({ idempotencyKey, source });
      connected.add(url);
    }
    toast.success(wanted.length === 1 ? "Connected. We're reading it now." : "Connected. We're reading them now.");
    onClose();
  }

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    onBusy(true);
    try {
      await (found ? connect(found) : findCalendars());
    } catch (reason) {
      setProblems(fieldErrors(reason));
    } finally {
      onBusy(false);
    }
  }

  const error = find.error ?? create.error;
  const failure = error && Object.keys(fieldErrors(error)).length === 0 ? error : null;
  return (
    <form id={FORM} className={styles.connect} onSubmit={(event) => void submit(event)} noValidate>
      {failure && <Notice tone="danger">{failure.message}</Notice>}
      <RadioGroup
        label="Provider"
        choices={SERVERS.map(({ name }) => ({ value: name, label: name }))}
        value={server}
        onChange={chooseServer}
      />
      <Hint>{hint}</Hint>
      <AccountFields account={account} problems={problems} onChange={set} />
      {found && (
        <FoundCalendars
          found={found}
          chosen={chosen}
          problem={problems.chosen}
          onChange={(urls) => {
            setProblems({});
            setChosen(urls);
          }}
        />
      )}
      {found && (
        <CheckField
          id={checkbox}
          label="All-day events keep the whole day busy"
          checked={allDayBlocks}
          onChange={(event) => setAllDayBlocks(event.target.checked)}
        />
      )}
    </form>
  );
}

type AccountFieldsProps = {
  account: Account;
  problems: Readonly<Record<string, string>>;
  onChange: (part: Partial<Account>) => void;
};

function AccountFields({ account, problems, onChange: set }: AccountFieldsProps) {
  return (
    <>
      <Field label="Server" error={problems.url}>
        <Input
          name="url"
          type="url"
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2000}
          value={account.url}
          onChange={(event) => set({ url: event.target.value })}
        />
      </Field>
      <Field label="User name" hint="Often your email address." error={problems.user}>
        <Input
          name="user"
          autoCapitalize="none"
          spellCheck={false}
          autoComplete="off"
          maxLength={320}
          value={account.user}
          onChange={(event) => set({ user: event.target.value })}
        />
      </Field>
      <Field label="App password" hint="Never your main password. We encrypt it." error={problems.password}>
        <PasswordInput
          name="password"
          autoComplete="off"
          maxLength={320}
          value={account.password}
          onChange={(event) => set({ password: event.target.value })}
        />
      </Field>
    </>
  );
}

type FoundCalendarsProps = {
  found: AccountCalendar[];
  chosen: string[];
  problem: string | undefined;
  onChange: (chosen: string[]) => void;
};

function FoundCalendars({ found, chosen, problem, onChange }: FoundCalendarsProps) {
  const id = useId();
  return (
    <fieldset className={styles.checks}>
      <legend>Calendars</legend>
      {found.map(({ url, name }, index) => (
        <CheckField
          key={url}
          id={`${id}-${index}`}
          label={name}
          checked={chosen.includes(url)}
          onChange={(event) => onChange(event.target.checked ? [...chosen, url] : chosen.filter((one) => one !== url))}
        />
      ))}
      <div aria-live="polite">{problem && <p className={styles.error}>{problem}</p>}</div>
    </fieldset>
  );
}
