import { Globe, MessageCircle, Share2 } from "lucide-react";
import { Link } from "react-router-dom";
import { Logo } from "@/components/ui/logo";
import { paths, type Path } from "@/config/paths";
import styles from "./footer.module.css";

type FooterLink = { to: Path; label: string; soon?: true };

const COLUMNS: { title: string; links: FooterLink[] }[] = [
  {
    title: "Platform",
    links: [
      { to: paths.skills, label: "SkillShare" },
      { to: paths.angelsList, label: "Angel's List" },
      { to: paths.dashboard, label: "Dashboard" },
    ],
  },
  {
    title: "Company",
    links: [
      { to: paths.about, label: "About" },
      { to: paths.howItWorks, label: "How It Works" },
      { to: paths.pricing, label: "Pricing" },
      { to: paths.blog, label: "Blog", soon: true },
    ],
  },
  {
    title: "Community",
    links: [
      { to: paths.successStories, label: "Success Stories", soon: true },
      { to: paths.events, label: "Events", soon: true },
      { to: paths.forum, label: "Forum", soon: true },
      { to: paths.mentorship, label: "Mentorship", soon: true },
    ],
  },
  {
    title: "Support",
    links: [
      { to: paths.help, label: "Help Center", soon: true },
      { to: paths.contact, label: "Contact Us", soon: true },
      { to: paths.safety, label: "Safety", soon: true },
      { to: paths.privacy, label: "Privacy Policy" },
      { to: paths.terms, label: "Terms and Conditions" },
    ],
  },
];

const SOCIAL = [
  { label: "Newsletter", icon: Globe },
  { label: "Chat", icon: MessageCircle },
  { label: "Share", icon: Share2 },
];

/** The footer: brand, links with their "Coming Soon" badges, social placeholders and SPEC 2.1's year. */
export function Footer() {
  return (
    <footer className={styles.footer}>
      <div className="container">
        <div className={styles.top}>
          <div className={styles.about}>
            <p className={styles.brand}>
              <Logo size={24} />
              Porchlight
            </p>
            <p className={styles.line}>Skills, gurus and help on your street.</p>
            <ul className={styles.social} aria-label="Social links, coming soon">
              {SOCIAL.map(({ label, icon: Icon }) => (
                <li key={label}>
                  <span className={styles.socialMark} role="img" aria-label={`${label} (coming soon)`}>
                    <Icon size={17} aria-hidden="true" />
                  </span>
                </li>
              ))}
            </ul>
          </div>
          <nav className={styles.columns} aria-label="Footer">
            {COLUMNS.map((column) => (
              <section key={column.title} aria-labelledby={`footer-${column.title.toLowerCase()}`}>
                <h2 id={`footer-${column.title.toLowerCase()}`} className={styles.title}>
                  {column.title}
                </h2>
                <ul className={styles.links}>
                  {column.links.map((link) => (
                    <li key={link.to}>
                      <Link to={link.to} className={styles.link}>
                        {link.label}
                        {link.soon && <span className={styles.soon}>Coming Soon</span>}
                      </Link>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </nav>
        </div>
        <p className={styles.copyright}>© 2024 Porchlight. All rights reserved.</p>
      </div>
    </footer>
  );
}
