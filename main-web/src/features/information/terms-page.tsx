import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { LegalDocument, type LegalSection } from "./legal-document";

const SECTIONS: LegalSection[] = [
  {
    id: "agreement",
    title: "The agreement",
    body: (
      <p>
        By using Porchlight you agree to these terms and to our <Link to={paths.privacy}>Privacy Policy</Link>. They are an
        agreement between you and Porchlight. What you agree with another neighbor or a guru, such as a session, a price or a
        swap, is an agreement between the two of you; we provide the place and the tools.
      </p>
    ),
  },
  {
    id: "age",
    title: "Who may take part",
    body: (
      <>
        <p>
          You must be <strong>at least 13 years old</strong>. Between 13 and 18 you need the consent of a parent or guardian,
          and where a session requires a waiver, a guardian signs it.
        </p>
        <p>One person, one account. Keep your password to yourself; what happens under your account counts as yours.</p>
      </>
    ),
  },
  {
    id: "neighbors",
    title: "Being a good neighbor",
    body: (
      <>
        <p>Be honest about who you are and what you can do. You may not use Porchlight to</p>
        <ul>
          <li>offer anything illegal, or anything you lack the required license or insurance for;</li>
          <li>harass, threaten, discriminate against or deceive anyone;</li>
          <li>collect other people's data, send advertising nobody asked for, or get around our limits;</li>
          <li>move a booking elsewhere in order to avoid its waiver or its payment.</li>
        </ul>
        <p>
          We may remove content and suspend accounts or guru sites that break these rules. Where it is safe to do so, we say
          why and hear your side first.
        </p>
      </>
    ),
  },
  {
    id: "gurus",
    title: "Gurus",
    body: (
      <>
        <p>
          Gurus are independent. They set their services, prices and hours, and they answer for the quality of what they do,
          for taxes, and for having the documents that their category requires. Where insurance is required, general
          liability cover is $1M/$2M.
        </p>
        <p>
          Approval of a document means that a person looked at it. It is no guarantee of skill and no promise by us about any
          session.
        </p>
      </>
    ),
  },
  {
    id: "sessions",
    title: "Bookings and swaps",
    body: (
      <p>
        A booking is binding once the guru has confirmed it. Each service states its price, length and how it can be moved or
        cancelled. In a swap no money changes hands: both sides promise their time. If something goes wrong, talk to each
        other first, then tell us.
      </p>
    ),
  },
  {
    id: "waivers",
    title: "Waivers",
    body: (
      <>
        <p>
          Some activities can hurt. For categories of higher risk you accept a liability waiver before you can take part. For
          high risk you also name an emergency contact.
        </p>
        <p>
          <strong>Waivers expire by themselves:</strong> after 30 days for high risk, and after 90 days for medium and low
          risk. Without a valid waiver a booking that needs one is not possible; you can accept a new one at any time.
        </p>
      </>
    ),
  },
  {
    id: "payments",
    title: "Plans, payments and payouts",
    body: (
      <p>
        Community Member is free. Skill Sharer costs $9 and Premium Angel $19 per month, until you cancel; a cancelled plan
        runs to the end of the month that is paid. Payments and payouts are carried out by our payment provider, under its own
        terms. Fees, if any, are shown before you confirm.
      </p>
    ),
  },
  {
    id: "content",
    title: "Your content",
    body: (
      <p>
        What you write and upload stays yours. You allow us to store it, show it where you published it, and fit it to
        different screens, for as long as it is published. Only upload what you have the right to share.
      </p>
    ),
  },
  {
    id: "warranty",
    title: "What we do not promise",
    body: (
      <p>
        We work hard to keep Porchlight running, correct and safe, but we provide it as it is. We do not supervise sessions, and
        we cannot promise that every profile is accurate, that a match will suit, or that the service is never interrupted.
      </p>
    ),
  },
  {
    id: "liability",
    title: "Limits of liability",
    body: (
      <>
        <p>
          As far as the law allows, our total liability to you for everything connected with Porchlight is{" "}
          <strong>limited to the amount you paid to Porchlight in the previous 12 months</strong>. We are not liable for what
          users do to each other, nor for indirect losses.
        </p>
        <p>Nothing in these terms limits liability that the law does not allow to be limited.</p>
      </>
    ),
  },
  {
    id: "ending",
    title: "Leaving",
    body: (
      <p>
        You can delete your account whenever you like; open bookings and payouts are settled first. What is erased and what must
        be kept is set out in the <Link to={paths.privacy}>Privacy Policy</Link>. We may end an account that seriously or
        repeatedly breaks these terms.
      </p>
    ),
  },
  {
    id: "changes",
    title: "Changes and questions",
    body: (
      <p>
        If these terms change in a way that matters, we tell you at least 30 days before. If you go on using Porchlight after
        that, the new terms apply. Questions? <Link to={paths.contact}>Write to us</Link>.
      </p>
    ),
  },
];

/** SPEC 2.10; reached as /terms and /terms_and_conditions. */
export function TermsPage() {
  return (
    <LegalDocument
      title="Terms and Conditions"
      description="The rules of the neighborhood: who may take part, how bookings and waivers work, and what each side answers for."
      lead="The rules of the neighborhood, as short as we could make them. Please read them once; they apply whenever you use Porchlight."
      sections={SECTIONS}
    />
  );
}
