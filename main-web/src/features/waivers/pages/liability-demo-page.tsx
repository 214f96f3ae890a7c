import { CalendarX, Fingerprint, Phone, ShieldCheck } from "lucide-react";
import { lazy, Suspense, useState, useTransition } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { HeroHeader } from "@/components/layout/hero-header";
import { PageHead } from "@/components/layout/page-head";
import { useSession } from "@/lib/session/session-context";
import { useIsHydrating } from "@/lib/use-is-hydrating";
import type { AcceptedWaiver } from "../api/accept-waiver";
import { EMPTY_VALUES, type WaiverValues } from "../lib/waiver-values";
import { PAGE_HEADS } from "../page-heads";
import { useOwnWaivers } from "../api/get-waivers";
import { ExchangeCard, type ExchangeMessage } from "../components/exchange-card";
import styles from "../components/waivers.module.css";
import { deleteDraft, readDraft, saveDraft, type WaiverDraft } from "../lib/draft";
import { acceptedMessage, NOT_ACCEPTED } from "../lib/messages";
import { SAMPLES, type Exchange } from "../lib/samples";

// The form with its library is a fifth of the page's script, and most visitors only read.
const loadWaiverModal = () => import("../components/waiver-modal");
const WaiverModal = lazy(async () => ({ default: (await loadWaiverModal()).WaiverModal }));

const BENEFITS = [
  {
    icon: ShieldCheck,
    title: "Risk-based waivers",
    text: "The text matches the risk of the activity. You see the level and the reasons for it.",
  },
  {
    icon: Phone,
    title: "Emergency contacts",
    text: "High-risk sessions need someone to call. Only your teacher sees the number, around the session.",
  },
  {
    icon: Fingerprint,
    title: "Audit trail",
    text: "Each waiver is signed and linked to the one before. Your receipt proves it without us.",
  },
  {
    icon: CalendarX,
    title: "Auto-expiration",
    text: "Waivers auto-expire after 30 days for high risk and 90 days for medium and low risk.",
  },
];

/** The waiver demonstration: five sample exchanges (SPEC 2.13). */
export function LiabilityDemoPage() {
  const session = useSession();
  const navigate = useNavigate();
  const waivers = useOwnWaivers().data?.waivers ?? [];
  const [draft, setDraft] = useState<WaiverDraft | null>(null);
  const [openId, setOpenId] = useState<string>();
  // In a transition the pressed button is busy until the waiver's files are there.
  const [isOpening, startOpening] = useTransition();
  const [joinedId, setJoinedId] = useState<string>();
  const [hasRead, setHasRead] = useState(false);
  const isHydrating = useIsHydrating();
  if (!isHydrating && !hasRead) {
    const kept = readDraft();
    setHasRead(true);
    setDraft(kept);
    setOpenId(kept?.exchangeId);
  }
  const [acceptedNow, setAcceptedNow] = useState<Record<string, AcceptedWaiver>>({});
  const [message, setMessage] = useState<(ExchangeMessage & { exchangeId: string }) | null>(null);
  const isSignedIn = session.status === "signed-in";
  const open = SAMPLES.find(({ id }) => id === openId);
  const ownName = isSignedIn ? session.user.displayName : "";
  const restored = draft?.exchangeId === openId ? draft?.values : undefined;

  function join({ id }: Exchange) {
    setMessage(null);
    setJoinedId(id);
    startOpening(() => setOpenId(id));
  }

  function close() {
    deleteDraft();
    setDraft(null);
    setOpenId(undefined);
  }

  function onAccepted(exchange: Exchange, accepted: AcceptedWaiver) {
    close();
    setAcceptedNow((all) => ({ ...all, [exchange.id]: accepted }));
    setMessage({ exchangeId: exchange.id, tone: "success", text: acceptedMessage(exchange.skill) });
  }

  function signIn(exchange: Exchange, values: WaiverValues) {
    saveDraft({ exchangeId: exchange.id, values });
    const text = `Please sign in to accept the waiver for ${exchange.skill}.`;
    void navigate(paths.login, { state: { from: paths.liabilityDemo, message: text } });
  }

  return (
    <PageHead {...PAGE_HEADS[paths.liabilityDemo]}>
      <HeroHeader
        title="Liability Waiver Demo"
        lead="Join a sample exchange to see how a waiver works. These waivers are for practice and book nothing."
      />
      <div className={`container ${styles.sections}`}>
        <section aria-labelledby="waiver-samples">
          <h2 id="waiver-samples" className={styles.heading}>
            Sample exchanges
          </h2>
          <ul className={styles.cards}>
            {SAMPLES.map((exchange) => (
              <ExchangeCard
                key={exchange.id}
                exchange={exchange}
                message={message?.exchangeId === exchange.id ? message : null}
                accepted={
                  acceptedNow[exchange.id] ??
                  waivers.find(({ exchangeId, state }) => exchangeId === exchange.id && state === "valid")
                }
                isOpening={isOpening && joinedId === exchange.id}
                onIntent={() => void loadWaiverModal().catch(() => undefined)}
                onJoin={() => join(exchange)}
              />
            ))}
          </ul>
        </section>
        <section aria-labelledby="waiver-benefits">
          <h2 id="waiver-benefits" className={styles.heading}>
            How waivers protect everyone
          </h2>
          <ul className={styles.cards}>
            {BENEFITS.map(({ icon: Icon, title, text }) => (
              <li key={title} className={styles.benefit}>
                <Icon size={24} aria-hidden="true" />
                <div>
                  <h3 className={styles.exchangeTitle}>{title}</h3>
                  <p className={styles.soft}>{text}</p>
                </div>
              </li>
            ))}
          </ul>
        </section>
      </div>
      <Suspense fallback={null}>
        {open && (
          <WaiverModal
            exchange={open}
            initial={{ ...EMPTY_VALUES, ...restored, typedName: restored?.typedName || ownName }}
            onSignIn={isSignedIn ? null : (values) => signIn(open, values)}
            onAccepted={(accepted) => onAccepted(open, accepted)}
            onClose={() => {
              close();
              setMessage({ exchangeId: open.id, tone: "warning", text: NOT_ACCEPTED });
            }}
          />
        )}
      </Suspense>
    </PageHead>
  );
}
