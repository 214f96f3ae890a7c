import { HandHeart, MapPinHouse, ShieldCheck } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { useConfig } from "@/lib/get-config";
import { HeroHeader } from "@/components/layout/hero-header";
import { PageHead } from "@/components/layout/page-head";
import { PAGE_HEADS } from "../page-heads";
import { OperatorDetails } from "../components/operator-details";
import styles from "../components/info.module.css";

const VALUES = [
  {
    icon: ShieldCheck,
    title: "Trust and safety",
    text: "Our team reviews documents, and higher-risk sessions need a waiver, which expires so it stays current. You know who you're meeting.",
  },
  {
    icon: HandHeart,
    title: "Learn by doing",
    text: "You can't learn to bake from a slide. Sessions are small and hands-on, at a kitchen table, a workbench or a trailhead.",
  },
  {
    icon: MapPinHouse,
    title: "Local first",
    text: "We show what's nearby first. Most of the money spent on Porchlight stays in the neighborhood.",
  },
];

export function AboutPage() {
  const config = useConfig();
  return (
    <PageHead {...PAGE_HEADS[paths.about]}>
      <HeroHeader
        eyebrow="About Porchlight"
        title="A porch light means you're welcome."
        lead="Porchlight is a neighborhood marketplace. People swap skills, book local gurus and get help with jobs that are too big for one person."
      />
      <div className={`container ${styles.sections}`}>
        <section className={styles.split} aria-labelledby="about-company">
          <h2 id="about-company" className={styles.heading}>
            Our company
          </h2>
          <div className={styles.prose}>
            <p>
              Every street is full of know-how. Someone two doors down restores furniture, speaks Portuguese, prunes
              fruit trees or can fix the bike you're about to throw away. Most of the time, you'd never know.
            </p>
            <p>
              Porchlight makes that know-how easy to find. Neighbors list what they can teach and what they want to
              learn. Gurus, who teach as a business, get their own site with services, a calendar and a blog. We take
              care of payments, documents and safety rules, and otherwise stay out of the way.
            </p>
          </div>
        </section>

        <section aria-labelledby="about-values">
          <h2 id="about-values" className={styles.heading}>
            Our values
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
              Porchlight began with a broken furnace on a cold Sunday and a neighbor who knew how to fix it. He wouldn't
              take money, so he got piano lessons for his daughter instead. Three families on the street joined in, then
              the next street over, and before long a shared spreadsheet wasn't enough.
            </p>
            <p>
              Our founder still lives on that street, still can't fix a furnace, and still answers some of the email
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
              Questions, praise and complaints all go to the same small team. We reply within two business days. If you
              have an urgent safety concern, say so in the subject line and we'll read it first.
            </p>
            {config.data && <OperatorDetails operator={config.data.operator} />}
            <div className={styles.actions}>
              <Button asChild>
                <Link to={paths.contact}>Contact us</Link>
              </Button>
              <Button asChild variant="secondary">
                <Link to={paths.howItWorks}>How It Works</Link>
              </Button>
            </div>
          </div>
        </section>
      </div>
    </PageHead>
  );
}
