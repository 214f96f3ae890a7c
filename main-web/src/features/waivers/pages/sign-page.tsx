import { CircleCheck, Unlink } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { Link, useParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LoadingBlock } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { WaiverForm } from "../components/waiver-form";
import { EMPTY_VALUES, type WaiverValues } from "../lib/waiver-values";
import { useSigning, type Signing } from "../api/get-signing";
import { useSignWithLink, type SignedWaiver } from "../api/sign-with-link";
import styles from "./sign-page.module.css";
import { formatLocalClock, formatLocalDate } from "@porchlight/shared/format/dates";
import { formatSession } from "@porchlight/shared/format/session-times";
import { ApiError } from "@porchlight/shared/client";

/** Where someone without an account signs the waiver for a session, with a personal link. */
export function SignPage() {
  const { link = "" } = useParams();
  const signing = useSigning(link);
  const [signed, setSigned] = useState<SignedWaiver | null>(null);
  const isUnknown = signing.error instanceof ApiError && signing.error.status === 404;
  return (
    <PageHead title="Sign a waiver" description="Sign the liability waiver for a session on Porchlight.">
      <div className={`container ${styles.page}`} aria-busy={signing.isPending}>
        <h1 className={styles.title}>{isUnknown ? "Link not found" : "Sign a waiver"}</h1>
        {signing.isPending && <LoadingBlock height="24rem" />}
        {isUnknown && (
          <EmptyState
            icon={Unlink}
            title="This link doesn't work anymore"
            action={
              <Button asChild variant="secondary">
                <Link to={paths.home}>Go to Porchlight</Link>
              </Button>
            }
          >
            The session may have been canceled or have started, or there is a newer link. Please ask the person who sent
            it to you.
          </EmptyState>
        )}
        {signing.isError && !signing.data && !isUnknown && (
          <ErrorState
            title="We couldn't load your waiver"
            message={signing.error.message}
            onRetry={() => void signing.refetch()}
            retrying={signing.isFetching}
          />
        )}
        {signing.data && !isUnknown && (
          <>
            <Session signing={signing.data} />
            <NextStep
              link={link}
              signing={signing.data}
              signed={signed}
              onSigned={(accepted) => {
                setSigned(accepted);
                window.scrollTo({ top: 0 });
              }}
            />
          </>
        )}
      </div>
    </PageHead>
  );
}

/** Who takes part in what, and who booked it. */
function Session({ signing }: { signing: Signing }) {
  const { name, bookerName, serviceName, guruName, startsAt, endsAt, zone } = signing;
  return (
    <Card as="section" aria-label="Session" className={styles.session}>
      <p>
        {bookerName} booked <strong>{serviceName}</strong> with {guruName} for <strong>{name}</strong>.
      </p>
      <p>{formatSession(startsAt, endsAt, zone)}</p>
      <p className={styles.soft}>Everyone who takes part signs a waiver. You don&apos;t need an account.</p>
    </Card>
  );
}

type NextStepProps = {
  link: string;
  signing: Signing;
  signed: SignedWaiver | null;
  onSigned: (accepted: SignedWaiver) => void;
};

/** The waiver to sign; or that it is signed, or from when it can be. */
function NextStep({ link, signing, signed, onSigned }: NextStepProps) {
  const send = useSignWithLink(link);
  const form = useForm<WaiverValues>({ defaultValues: EMPTY_VALUES });
  if (signed !== null || signing.signed) return <Signed signing={signing} signed={signed} />;
  if (signing.canSignFrom !== null) {
    return (
      <Card as="section" className={styles.session}>
        <p>
          It&apos;s too early to sign: the waiver would end before the session. Please open this link again from{" "}
          <strong>
            {formatLocalDate(signing.canSignFrom)}, {formatLocalClock(signing.canSignFrom)}
          </strong>{" "}
          on.
        </p>
      </Card>
    );
  }
  return (
    <>
      <h2 className={styles.heading}>The waiver</h2>
      <WaiverForm
        form={form}
        send={send}
        exchange={{
          id: `${signing.guruLabel}/${signing.serviceId}`,
          skill: `${signing.serviceName} with ${signing.guruName}`,
          category: "",
          activity: signing.serviceName,
        }}
        minimumLevel={signing.level}
        mustSign
        role={{ for: "choice", minor: signing.name }}
        acceptLabel="Sign the waiver"
        onAccepted={onSigned}
      />
    </>
  );
}

function Signed({ signing, signed }: { signing: Signing; signed: SignedWaiver | null }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isNew = signed !== null;
  useEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);
  return (
    <Card as="section" className={styles.session} aria-labelledby="signed">
      <CircleCheck size={32} aria-hidden="true" className={styles.done} />
      <h2 id="signed" ref={heading} tabIndex={-1}>
        {isNew ? "Thank you. The waiver is signed." : "This waiver is signed"}
      </h2>
      <p>
        {signing.guruName} and {signing.bookerName} can see that {signing.name} is covered. There&apos;s nothing left to
        do.
      </p>
      {signed !== null && (
        <>
          <Button asChild variant="secondary">
            <a href={signed.receipt} download={`porchlight-waiver-${signed.waiverId}.zip`}>
              Download your copy
            </a>
          </Button>
          <p className={styles.soft}>Please download it now. For your privacy, this link doesn&apos;t show it later.</p>
        </>
      )}
    </Card>
  );
}
