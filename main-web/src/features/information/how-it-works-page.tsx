import { BadgeDollarSign, Globe, ShieldCheck, Waypoints } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { HeroHeader } from "../../ui/hero-header";
import { Page } from "../../ui/page";
import styles from "./information.module.css";

const STEPS = [
  {
    title: "Create Your Profile",
    text: "Say what you can do, what you would like to learn, and roughly where you live. Nobody sees your exact address.",
  },
  {
    title: "Browse & Connect",
    text: "Look through skills and services nearby, read what gurus write, and let matches suggest the person two streets over.",
  },
  {
    title: "Book Sessions",
    text: "Pick a time that suits both. Sessions with more risk ask for a waiver first, so both sides know what they agree to.",
  },
  {
    title: "Learn & Earn",
    text: "Meet, learn by doing, and leave a review. Those who teach are paid straight to their account.",
  },
];

const FEATURES = [
  {
    icon: Waypoints,
    title: "Matches that make sense",
    text: "We compare what you want with what others offer, and the other way round, and say why a match is a match.",
  },
  {
    icon: ShieldCheck,
    title: "Safety by level of risk",
    text: "Low-risk sessions start right away. High-risk ones need a waiver, an emergency contact and checked documents.",
  },
  {
    icon: BadgeDollarSign,
    title: "Fair and visible prices",
    text: "Every service shows its price and length before you book. Payouts go through a payment provider, not a stranger.",
  },
  {
    icon: Globe,
    title: "A site for every guru",
    text: "Gurus get a home page, services, a blog and a contact form on an address of their own, in their own colors.",
  },
];

export function HowItWorksPage() {
  return (
    <Page
      title="How It Works"
      description="Four steps from a profile to a session with a neighbor who knows how: create, browse, book, learn and earn."
    >
      <HeroHeader
        title="How It Works"
        lead="Four steps lie between not knowing how and having done it yourself. The first one takes two minutes."
      />
      <div className={`container ${styles.sections}`}>
        <section aria-labelledby="how-steps">
          <h2 id="how-steps" className={styles.heading}>
            From hello to done
          </h2>
          <ol className={styles.steps}>
            {STEPS.map((step, index) => (
              <li key={step.title} className={styles.step}>
                <span className={styles.number} aria-hidden="true">
                  {index + 1}
                </span>
                <div>
                  <h3 className={styles.cardTitle}>{step.title}</h3>
                  <p className={styles.cardText}>{step.text}</p>
                </div>
              </li>
            ))}
          </ol>
        </section>
        <section aria-labelledby="how-features">
          <h2 id="how-features" className={styles.heading}>
            What keeps it working
          </h2>
          <ul className={styles.cards}>
            {FEATURES.map(({ icon: Icon, title, text }) => (
              <Card as="li" key={title}>
                <Icon size={24} aria-hidden="true" className={styles.cardIcon} />
                <h3 className={styles.cardTitle}>{title}</h3>
                <p className={styles.cardText}>{text}</p>
              </Card>
            ))}
          </ul>
        </section>
        <section className={styles.closing}>
          <h2 className={styles.heading}>Your street is waiting</h2>
          <div className={styles.actions}>
            <Button asChild size="lg">
              <Link to={paths.signup}>Create a free account</Link>
            </Button>
            <Button asChild size="lg" variant="secondary">
              <Link to={paths.pricing}>See pricing</Link>
            </Button>
          </div>
        </section>
      </div>
    </Page>
  );
}
