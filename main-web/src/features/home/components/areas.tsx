import { ArrowRight, GraduationCap, HandHelping, type LucideIcon } from "lucide-react";
import { Link } from "react-router-dom";
import { paths, type Path } from "@/config/paths";
import { cx } from "@/lib/cx";
import { BlockLink } from "@/components/ui/block-link";
import styles from "./areas.module.css";

type Area = { name: string; to: Path; icon: LucideIcon; tone: "amber" | "green"; text: string; points: string[] };

const AREAS: Area[] = [
  {
    name: "Angel's List",
    to: paths.angelsList,
    icon: HandHelping,
    tone: "amber",
    text: "Odd jobs done by people who live around the corner.",
    points: ["Handyman work and moving help", "Cleaning, yard work and errands", "Someone kind to watch your dog"],
  },
  {
    name: "SkillShare",
    to: paths.skills,
    icon: GraduationCap,
    tone: "green",
    text: "Learn from a neighbor, or teach what you already know.",
    points: [
      "Sessions from 30 minutes to half a day",
      "We match learners with teachers",
      "Trade one skill for another",
    ],
  },
];

/** Links to the two other areas of the platform. */
export function Areas() {
  return (
    <section className={`container ${styles.areas}`} aria-labelledby="areas-title">
      <h2 id="areas-title" className={styles.title}>
        Two ways to help each other
      </h2>
      <div className={styles.grid}>
        {AREAS.map(({ name, to, icon: Icon, tone, text, points }) => (
          <article key={to} className={cx(styles.card, styles[tone])}>
            <span className={styles.icon}>
              <Icon size={24} aria-hidden="true" />
            </span>
            <h3 className={styles.name}>
              <BlockLink className={styles.link}>
                <Link to={to}>
                  {name}
                  <ArrowRight size={20} aria-hidden="true" className={styles.arrow} />
                </Link>
              </BlockLink>
            </h3>
            <p className={styles.text}>{text}</p>
            <ul className={styles.points}>
              {points.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          </article>
        ))}
      </div>
    </section>
  );
}
