import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { LegalDocument, type LegalSection } from "./legal-document";

const SECTIONS: LegalSection[] = [
  {
    id: "who",
    title: "Who this is about",
    body: (
      <>
        <p>
          This policy covers the main Porchlight site and every guru site on a Porchlight subdomain or on a guru's own
          domain. Porchlight runs the platform. A guru who receives your message or booking decides what to do with it in
          their own business, within these rules.
        </p>
        <p>
          You must be <strong>at least 13 years old</strong> to have an account. If we learn that an account belongs to
          someone younger, we close it and erase what it holds.
        </p>
      </>
    ),
  },
  {
    id: "collect",
    title: "What we keep",
    body: (
      <ul>
        <li>
          <strong>Your account:</strong> name, email address, an optional photo, the skills you offer and want, and the
          place you give us. Others see a coarse location only, never your street and number.
        </li>
        <li>
          <strong>What you send:</strong> messages, bookings, reviews, and the name, email address and optional phone
          number in a form on a guru's site. These go to that guru and to nobody else.
        </li>
        <li>
          <strong>Waivers:</strong> what you accepted and when, and, for high-risk sessions, the emergency contact you
          named.
        </li>
        <li>
          <strong>Guru documents:</strong> licenses, insurance and certificates that are needed before a risky service can
          be listed. Only the guru and our reviewers see them.
        </li>
        <li>
          <strong>Payments:</strong> amounts, dates and states. Card and bank details go straight to our payment provider;
          we never see them in full.
        </li>
        <li>
          <strong>Page views on guru sites:</strong> counted without cookies and without keeping who you are.
        </li>
      </ul>
    ),
  },
  {
    id: "location",
    title: "Your location",
    body: (
      <p>
        If you allow it, your browser tells us where you are so that we can name the city. The coordinates are used for that
        one answer and not stored. A place you type yourself is remembered on your device only, until you change it or clear
        your browser's storage; when you create an account, we take it over into your profile, where you can change it.
      </p>
    ),
  },
  {
    id: "cookies",
    title: "Cookies and storage on your device",
    body: (
      <p>
        We set one cookie, and only after you sign in: it keeps you signed in on the main site and on guru sites. Your
        browser also stores the app itself, so that it opens without a connection, and small notes such as your chosen
        place. There are no advertising cookies and no trackers of other companies.
      </p>
    ),
  },
  {
    id: "use",
    title: "What we use it for",
    body: (
      <ul>
        <li>To run what you asked for: sign-in, bookings, messages, payouts.</li>
        <li>To suggest matches between learners and teachers. The score says why; no decision about you is automatic.</li>
        <li>To keep people safe: review of documents, waivers, reports, limits against abuse.</li>
        <li>To send mail about your account and sessions. We do not sell your data, and we do not rent it out.</li>
      </ul>
    ),
  },
  {
    id: "share",
    title: "Who else handles it",
    body: (
      <p>
        Some work is done by others on our behalf: an identity service (sign-in), a payment provider (cards and payouts), a
        mail service, a geocoding service (naming a place) and the operators of our servers. Each gets only what its task
        needs. We hand data to authorities when the law obliges us to, and not otherwise.
      </p>
    ),
  },
  {
    id: "keep",
    title: "How long we keep it",
    body: (
      <ul>
        <li>Account and profile: until you delete your account.</li>
        <li>Messages to a guru: until they are erased, by the guru, at your request, or together with the guru's site.</li>
        <li>
          Waivers expire after 30 days (high risk) or 90 days (medium and low risk). The record that one was signed is kept
          for as long as a claim could be made.
        </li>
        <li>Records of payments: as long as tax law requires.</li>
        <li>
          Technical logs: only as long as running the service needs them, and without names, email addresses or phone
          numbers.
        </li>
      </ul>
    ),
  },
  {
    id: "rights",
    title: "See it, take it, erase it",
    body: (
      <>
        <p>
          You may see, correct, export and erase what we hold about you. From your profile you can ask for{" "}
          <strong>an archive of everything</strong> in a format that other programs can read, and you can{" "}
          <strong>delete your account</strong>. Until these pages are open to you, write to us and we do it by hand within 30
          days.
        </p>
        <p>
          Deleting erases your profile, photo, skills, messages and sign-in. What must stay, such as records of payments, the
          fact that a waiver was signed and the log of administrative acts, is cut off from the rest and kept only for its
          purpose.
        </p>
      </>
    ),
  },
  {
    id: "security",
    title: "How it is protected",
    body: (
      <p>
        Connections are encrypted. The rows of every guru are fenced off from all others by the database itself. Staff access
        is limited, logged and tied to a task. Should data ever leak, we tell those concerned without delay, in plain words.
      </p>
    ),
  },
  {
    id: "questions",
    title: "Changes and questions",
    body: (
      <p>
        If this policy changes in a way that matters, we tell you before it applies. For anything about your data,{" "}
        <Link to={paths.contact}>write to us</Link>. See also our{" "}
        <Link to={paths.terms}>Terms and Conditions</Link>.
      </p>
    ),
  },
];

/** SPEC 2.10; reached as /privacy and /privacy_policy. */
export function PrivacyPage() {
  return (
    <LegalDocument
      title="Privacy Policy"
      description="What Porchlight keeps about you, why, for how long, and how to take it along or have it erased."
      lead="What we keep about you, why, for how long, and how you can take it along or have it erased. Written to be read."
      sections={SECTIONS}
    />
  );
}
