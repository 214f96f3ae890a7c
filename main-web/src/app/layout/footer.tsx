import { Globe, MessageCircle, Share2 } from "lucide-react";
import { Link } from "react-router-dom";
import { Logo } from "@/components/ui/logo";
import { paths, type Path } from "@/config/paths";
import styles from "./footer.module.css";

type FooterLink = { to: Path; label: string };

const GROUPS: { title: string; links: FooterLink[] }[] = [
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
      { to: paths.privacy, label: "Privacy Policy" },
      { to: paths.terms, label: "Terms and Conditions" },
    ],
  },
  {
    title: "Coming Soon", // SPEC 2.1
    links: [
      { to: paths.blog, label: "Blog" },
      { to: paths.successStories, label: "Success Stories" },
      { to: paths.events, label: "Events" },
      { to: paths.forum, label: "Forum" },
      { to: paths.mentorship, label: "Mentorship" },
      { to: paths.help, label: "Help Center" },
      { to: paths.contact, label: "Contact Us" },
      { to: paths.safety, label: "Safety" },
    ],
  },
];

const SOCIAL = [
  { label: "Newsletter", icon: Globe },
  { label: "Chat", icon: MessageCircle },
  { label: "Share", icon: Share2 },
];

/** The footer: brand, links in groups, those "Coming Soon" in one, social placeholders and SPEC 2.1's year. */
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
          <nav className={styles.groups} aria-label="Footer">
            {GROUPS.map(({ title, links }, at) => (
              <section key={title} aria-labelledby={`footer-${at}`} className={styles.group}>
                <h2 id={`footer-${at}`} className={styles.title}>
                  {title}
                </h2>
                <ul className={styles.links}>
                  {links.map(({ to, label }) => (
                    <li key={to}>
                      <Link to={to} className={styles.link}>
                        {label}
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
