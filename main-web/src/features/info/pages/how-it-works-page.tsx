import { BadgeDollarSign, Globe, ShieldCheck, Waypoints } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { HeroHeader } from "@/components/layout/hero-header";
import { PageHead } from "@/components/layout/page-head";
import { PAGE_HEADS } from "../page-heads";
import styles from "../components/info.module.css";

const STEPS = [
  {
    title: "Create Your Profile",
    text: "Add what you can teach, what you'd like to learn and your city. We never show your exact address.",
  },
  {
    title: "Browse & Connect",
    text: "Explore skills and services nearby, read posts from gurus and see who you match with.",
  },
  {
    title: "Book Sessions",
    text: "Pick a time that works for both of you. Higher-risk sessions need a waiver first, so you both know what you're agreeing to.",
  },
  {
    title: "Learn & Earn",
    text: "Meet and learn by doing. You pay at the session, or by card when you book if your teacher takes cards.",
  },
];

const FEATURES = [
  {
    icon: Waypoints,
    title: "Matches that make sense",
    text: "We compare what you want with what others offer, and vice versa, and tell you why you match.",
  },
  {
    icon: ShieldCheck,
    title: "Safety by risk level",
    text: "Low-risk sessions start right away. High-risk ones need a waiver, an emergency contact and approved documents.",
  },
  {
    icon: BadgeDollarSign,
    title: "Clear, fair prices",
    text: "Every service shows its price and length before you book. You see if you pay at the session or by card.",
  },
  {
    icon: Globe,
    title: "A site for every guru",
    text: "Gurus get a home page, services, a blog and a contact form at their own web address, in their own colors.",
  },
];

export function HowItWorksPage() {
  return (
    <PageHead {...PAGE_HEADS[paths.howItWorks]}>
      <HeroHeader title="How It Works" lead="Get started in four steps. The first one takes two minutes." />
      <div className={`container ${styles.sections}`}>
        <section aria-labelledby="how-steps">
          <h2 id="how-steps" className={styles.heading}>
            Four simple steps
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
            Why it works
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
          <h2 className={styles.heading}>Ready to meet your neighbors?</h2>
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
    </PageHead>
  );
}
