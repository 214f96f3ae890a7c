import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { PAGE_HEADS } from "../page-heads";
import { LegalDocument, type LegalSection } from "../components/legal-document";

const SECTIONS: LegalSection[] = [
  {
    id: "who",
    title: "Who this covers",
    body: (
      <>
        <p>
          This policy covers the main Porchlight site and every guru site on a Porchlight subdomain or on a guru's own
          domain. Porchlight runs the platform. A guru who gets your message or booking decides how to use it in their
          own business, within these rules.
        </p>
        <p>
          You must be <strong>at least 13 years old</strong> to have an account. If we learn that an account belongs to
          someone younger, we close it and delete its data.
        </p>
      </>
    ),
  },
  {
    id: "collect",
    title: "What we collect",
    body: (
      <ul>
        <li>
          <strong>Your account:</strong> name, email address, an optional photo, the skills you offer and want, and the
          location you give us. Others only see an approximate location, never your street address.
        </li>
        <li>
          <strong>What you send:</strong> messages, bookings, reviews, and the name, email address and optional phone
          number in a form on a guru's site. These only go to that guru.
        </li>
        <li>
          <strong>Waivers:</strong> what you accepted and when, and your emergency contact for high-risk sessions.
        </li>
        <li>
          <strong>Guru documents:</strong> licenses, insurance and certificates we need before listing a risky service.
          Only the guru and our reviewers can see them.
        </li>
        <li>
          <strong>Payments:</strong> amounts, dates and statuses. Card and bank details go straight to our payment
          provider. We never see them in full.
        </li>
        <li>
          <strong>Page views on guru sites:</strong> counted without cookies and without storing who you are.
        </li>
      </ul>
    ),
  },
  {
    id: "location",
    title: "Your location",
    body: (
      <p>
        If you allow it, your browser shares your location so we can find your city. We use the coordinates once and
        don't store them. A place you type is saved only on your device until you change it or clear your browser's
        storage. When you create an account, we copy it to your profile, where you can change it.
      </p>
    ),
  },
  {
    id: "cookies",
    title: "Cookies and storage on your device",
    body: (
      <p>
        We set two cookies, and only after you sign in. One keeps you signed in on the main site and on guru sites, the
        other tells our pages that you are. Signing in on a guru's own domain sets a third one for a few minutes. Your
        browser also stores the app so it works offline, and small settings such as your location. We don't use
        advertising cookies or third-party trackers.
      </p>
    ),
  },
  {
    id: "use",
    title: "How we use it",
    body: (
      <ul>
        <li>To provide the service: sign-in, bookings, messages and payouts.</li>
        <li>
          To suggest matches between learners and teachers. We show why you match, and we don't make automated decisions
          about you.
        </li>
        <li>To keep people safe: document reviews, waivers, reports and limits to prevent abuse.</li>
        <li>To email you about your account and sessions. We don't sell or rent your data.</li>
      </ul>
    ),
  },
  {
    id: "share",
    title: "Who we share it with",
    body: (
      <p>
        Other companies do some work for us: an identity service (sign-in), a payment provider (cards and payouts), an
        email service, a geocoding service (finding a city) and our hosting providers. Each gets only the data it needs.
        We share data with authorities only when the law requires it.
      </p>
    ),
  },
  {
    id: "keep",
    title: "How long we keep it",
    body: (
      <ul>
        <li>Account and profile: until you delete your account.</li>
        <li>
          Messages to a guru: until the guru deletes them, you ask us to delete them, or the guru's site is deleted.
        </li>
        <li>
          Waivers expire after 30 days (high risk) or 90 days (medium and low risk). We keep a record that you signed
          for as long as a claim could be made.
        </li>
        <li>Payment records: as long as tax law requires.</li>
        <li>
          Technical logs: only as long as we need them to run the service, without names, email addresses or phone
          numbers.
        </li>
      </ul>
    ),
  },
  {
    id: "rights",
    title: "Your rights",
    body: (
      <>
        <p>
          You can see, correct, export and delete the data we have about you. From your profile you can download{" "}
          <strong>an archive of your data</strong> in a format other programs can read, and you can{" "}
          <strong>delete your account</strong>. You can also contact us, and we'll do it for you within 30 days.
        </p>
        <p>
          Deleting your account removes your profile, photo, skills, messages and sign-in. Records we have to keep, such
          as payments, signed waivers and the audit log, are stored separately and used only for that purpose.
        </p>
      </>
    ),
  },
  {
    id: "security",
    title: "How we protect it",
    body: (
      <p>
        Connections are encrypted. The database itself keeps each guru's data separate from everyone else's. Staff
        access is limited, logged and tied to a task. If there's ever a data breach, we'll promptly tell the people
        affected, in plain language.
      </p>
    ),
  },
  {
    id: "questions",
    title: "Changes and questions",
    body: (
      <p>
        If we make a significant change to this policy, we'll tell you before it takes effect. For questions about your
        data, <Link to={paths.contact}>contact us</Link>. See also our{" "}
        <Link to={paths.terms}>Terms and Conditions</Link>.
      </p>
    ),
  },
];

/** The privacy policy (SPEC 2.10), at /privacy and /privacy_policy. */
export function PrivacyPage() {
  return (
    <LegalDocument
      head={PAGE_HEADS[paths.privacy]}
      lead="What data we collect, why, how long we keep it, and how you can export or delete it. In plain English."
      sections={SECTIONS}
    />
  );
}
