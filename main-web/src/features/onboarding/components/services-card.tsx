import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { useStableWhileFocused } from "@/lib/use-stable-while-focused";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useConfirmServices } from "../api/confirm-services";
import { formatProposedHours } from "../lib/proposed-hours";
import { saveErrorText, type WizardServices } from "../lib/types";
import {
  errorsOf,
  MAX_SERVICES,
  NEW_SERVICE,
  placeError,
  serviceOf,
  typedServices,
  type MeetingPlace,
  type ServiceErrors,
  type TypedService,
} from "../lib/typed-services";
import { MeetingPlaceFields } from "./meeting-place-fields";
import { ServiceFields } from "./service-fields";
import styles from "./wizard.module.css";

type ServicesCardProps = {
  services: WizardServices;
  /** Whether one of the categories is approved, so that visitors see the services. */
  listed: boolean;
};

/** The services that a new site starts with. They go live only after the guru has confirmed them. */
export function ServicesCard({ services, listed }: ServicesCardProps) {
  const [typed, setTyped] = useState<TypedService[] | null>(null);
  const [typedWhere, setTypedWhere] = useState<MeetingPlace | null>(null);
  const [checked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const confirm = useConfirmServices();
  const { shown, handlers, release } = useStableWhileFocused(typedServices(services));
  const list = typed ?? shown;
  const where = typedWhere ?? { place: services.place, placeText: services.placeText };
  const isTyped = typed !== null || typedWhere !== null;
  const isConfirmed = services.confirmed && !isTyped;

  function change(at: number, part: Partial<TypedService>) {
    setTyped(list.map((service, index) => (index === at ? { ...service, ...part } : service)));
    confirm.reset();
  }

  function add() {
    flushSync(() => setTyped([...list, NEW_SERVICE]));
    confirm.reset();
    form.current?.querySelector<HTMLElement>("fieldset:last-of-type input")?.focus();
  }

  function remove(at: number) {
    flushSync(() => setTyped(list.filter((_, index) => index !== at)));
    confirm.reset();
    addButton.current?.focus();
  }

  function changeWhere(part: Partial<MeetingPlace>) {
    setTypedWhere({ ...where, ...part });
    confirm.reset();
  }

  async function submit() {
    setChecked(true);
    const first = list.map(errorsOf).flatMap(errorList).findIndex(Boolean);
    if (first >= 0) {
      // On a phone, the first service is far above the button.
      form.current?.querySelectorAll<HTMLElement>("fieldset :is(input, textarea)")[first]?.focus();
      return;
    }
    if (where.place === "" || placeError(where)) {
      form.current?.querySelector<HTMLElement>(where.place === "" ? "select" : "fieldset ~ * textarea")?.focus();
      return;
    }
    try {
      await confirm.mutateAsync({
        services: list.map(serviceOf),
        place: where.place,
        placeText: where.placeText.trim(),
      });
      setTyped(null);
      setTypedWhere(null);
      release();
      toast.success("Your services are confirmed.");
    } catch {
      // The error is shown below.
    }
  }

  return (
    <Card as="section" aria-labelledby="review-services" className={styles.stack}>
      <div className={styles.head}>
        <h2 id="review-services" className={styles.heading}>
          Services
        </h2>
        {isConfirmed && <Badge tone="good">Confirmed</Badge>}
      </div>
      <p className={styles.soft}>
        Your site starts with these services. Change them, remove what you don't offer, say where you meet, then
        confirm. You can change everything later.
      </p>
      <p className={styles.soft}>
        {listed
          ? "Neighbors can ask for times "
          : "Once one of your categories is approved, neighbors can ask for times "}
        {formatProposedHours(services.hours)}. You answer each request, and change your hours anytime.
      </p>
      <form
        ref={form}
        {...handlers}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {list.map((service, at) => (
          <ServiceFields
            key={at}
            number={at + 1}
            service={service}
            showsErrors={checked}
            onChange={(part) => change(at, part)}
            onRemove={list.length > 1 ? () => remove(at) : undefined}
          />
        ))}
        {list.length < MAX_SERVICES && (
          <Button variant="secondary" size="sm" className={styles.add} ref={addButton} onClick={add}>
            <Plus size={16} aria-hidden="true" />
            <span>Add a service</span>
          </Button>
        )}
        <MeetingPlaceFields where={where} showsErrors={checked} onChange={changeWhere} />
        {confirm.isError && <Notice tone="danger">{saveErrorText(confirm.error)}</Notice>}
        <div className={styles.foot}>
          <Button type="submit" variant={isConfirmed ? "secondary" : "primary"} loading={confirm.isPending}>
            Confirm services
          </Button>
        </div>
      </form>
      <UnsavedGuard unsaved={isTyped} />
    </Card>
  );
}

const errorList = ({ name, price, length, description, features }: ServiceErrors) => [
  name,
  price,
  length,
  description,
  features,
];
