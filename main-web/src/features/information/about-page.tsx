import { HandHeart, MapPinHouse, ShieldCheck } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { HeroHeader } from "../../ui/hero-header";
import { Page } from "../../ui/page";
import styles from "./information.module.css";

const VALUES = [
  {
    icon: ShieldCheck,
    title: "Trust and safety",
    text: "Documents are reviewed by people, risky sessions need a waiver, and every waiver runs out so that nobody forgets it. You know who stands at your door.",
  },
  {
    icon: HandHeart,
    title: "Learn by doing",
    text: "Nobody learns to bake from a slide. Sessions are small and hands-on, at a kitchen table, a workbench or a trailhead.",
  },
  {
    icon: MapPinHouse,
    title: "Local first",
    text: "We show what is near before what is famous. Money spent on Porchlight mostly stays within a few streets.",
  },
];

export function AboutPage() {
  return (
    <Page
      title="About"
      description="Porchlight is a neighborhood marketplace for skills and local help. What we believe, and who is behind it."
    >
      <HeroHeader
        eyebrow="About Porchlight"
        title="A light on the porch means: come in."
        lead="Porchlight is a neighborhood marketplace. People swap skills, book local gurus, and find a hand for the jobs that one person cannot do alone."
      />
      <div className={`container ${styles.sections}`}>
        <section className={styles.split} aria-labelledby="about-company">
          <h2 id="about-company" className={styles.heading}>
            The company
          </h2>
          <div className={styles.prose}>
            <p>
              Every street holds more knowledge than it uses. Someone two doors down restores furniture, speaks
              Portuguese, prunes fruit trees or fixes the very bicycle you are about to throw away. Mostly, nobody asks,
              because nobody knows.
            </p>
            <p>
              Porchlight makes that knowledge visible. Neighbors offer what they can do and say what they want to learn.
              Gurus, the people who make a business of it, get a site of their own with their services, their calendar
              and their notebook. We keep the money, the paperwork and the safety rules in order, and otherwise stay out
              of the way.
            </p>
          </div>
        </section>

        <section aria-labelledby="about-values">
          <h2 id="about-values" className={styles.heading}>
            What we hold on to
          </h2>
          <ul className={styles.cards}>
            {VALUES.map(({ icon: Icon, title, text }) => (
              <Card as="li" key={title}>
                <Icon size={24} aria-hidden="true" className={styles.cardIcon} />
                <h3 className={styles.cardTitle}>{title}</h3>
                <p className={styles.cardText}>{text}</p>
              </Card>
            ))}
          </ul>
        </section>

        <section className={styles.split} aria-labelledby="about-founder">
          <h2 id="about-founder" className={styles.heading}>
            The founder
          </h2>
          <div className={styles.prose}>
            <p>
              Porchlight began with a broken boiler on a cold Sunday and a neighbor who knew what to do. He would not take
              money, so he was paid in piano lessons for his daughter. Three families on the street joined in, then a
              second street, and at some point a shared spreadsheet was no longer enough.
            </p>
            <p>
              The founder still lives on that street, still cannot fix a boiler, and still answers some of the mail
              personally.
            </p>
          </div>
        </section>

        <section className={styles.split} aria-labelledby="about-contact">
          <h2 id="about-contact" className={styles.heading}>
            Get in touch
          </h2>
          <div className={styles.prose}>
            <p>
              Questions, praise and complaints all reach the same small team. We answer within two working days. If
              something about safety cannot wait, say so in the subject and it goes to the top.
            </p>
            <div className={styles.actions}>
              <Button asChild>
                <Link to={paths.contact}>Write to us</Link>
              </Button>
              <Button asChild variant="secondary">
                <Link to={paths.howItWorks}>How It Works</Link>
              </Button>
            </div>
          </div>
        </section>
      </div>
    </Page>
  );
}
