import { CalendarPlus, GraduationCap, HandHelping, MailWarning, UserRound, type LucideIcon } from "lucide-react";
import { Link, useLocation } from "react-router-dom";
import { paths, type Path } from "../../app/paths";
import { useSession } from "../../kit/session/session-context";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Page } from "../../ui/page";
import styles from "./dashboard-home.module.css";
import { requestedAction, type RequestedAction } from "./requested-action";

const QUICK_LINKS: { to: Path; icon: LucideIcon; title: string; text: string }[] = [
  { to: paths.skills, icon: GraduationCap, title: "Learn something", text: "Browse skills and find a teacher nearby." },
  { to: paths.angelsList, icon: HandHelping, title: "Get a hand", text: "Handyman work, moving, cleaning, pets." },
  { to: paths.profile, icon: UserRound, title: "Your profile", text: "What neighbors see of you." },
];

const NEXT_STEPS: Record<RequestedAction["action"], { title: string; to: Path; label: string }> = {
  "book-skill-session": { title: "You wanted to book a session", to: paths.skills, label: "Back to SkillShare" },
  "find-teachers": { title: "You were looking for teachers", to: paths.skills, label: "Back to SkillShare" },
  "book-service": { title: "You wanted to book a service", to: paths.angelsList, label: "Back to Angel's List" },
};

/** The start of a signed-in neighbour's day: greeting, what they came for, what needs them, and ways on. */
export function Home() {
  const session = useSession();
  const location = useLocation();
  const request = requestedAction(location);
  if (session.status !== "signed-in") return null;
  const { user } = session;
  const firstName = user.displayName.trim().split(/\s+/)[0];

  return (
    <Page title="Dashboard" description="Your Porchlight dashboard.">
      <div className={`container ${styles.page}`}>
        <header>
          <h1 className={styles.title}>{firstName ? `Good to see you, ${firstName}` : "Good to see you"}</h1>
          <p className={styles.lead}>Here is your corner of the neighborhood.</p>
        </header>

        {request && <RequestCard request={request} />}

        {!user.emailVerified && (
          <Card className={styles.row}>
            <MailWarning size={22} aria-hidden="true" className={styles.warn} />
            <div className={styles.words}>
              <h2 className={styles.name}>Verify your email</h2>
              <p className={styles.text}>
                We sent a link to <span className={styles.mail}>{user.email}</span>. Neighbors trust a verified account.
              </p>
            </div>
          </Card>
        )}

        <section aria-labelledby="quick-links">
          <h2 id="quick-links" className={styles.section}>
            Where to next
          </h2>
          <ul className={styles.links}>
            {QUICK_LINKS.map(({ to, icon: Icon, title, text }) => (
              <Card as="li" interactive key={to}>
                <Icon size={22} aria-hidden="true" className={styles.icon} />
                <h3 className={styles.name}>
                  <Link to={to} className={styles.link}>
                    {title}
                  </Link>
                </h3>
                <p className={styles.text}>{text}</p>
              </Card>
            ))}
          </ul>
        </section>
      </div>
    </Page>
  );
}

function RequestCard({ request }: { request: RequestedAction }) {
  const step = NEXT_STEPS[request.action];
  return (
    <Card className={styles.request}>
      <CalendarPlus size={22} aria-hidden="true" className={styles.icon} />
      <div className={styles.words}>
        <h2 className={styles.name}>{step.title}</h2>
        <p className={styles.text}>{request.message || request.category}</p>
      </div>
      <Button asChild variant="secondary" size="sm">
        <Link to={step.to}>{step.label}</Link>
      </Button>
    </Card>
  );
}
