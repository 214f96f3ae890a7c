import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { PAGE_HEADS } from "../page-heads";
import { LegalDocument, type LegalSection } from "../components/legal-document";

const SECTIONS: LegalSection[] = [
  {
    id: "agreement",
    title: "The agreement",
    body: (
      <p>
        By using Porchlight you agree to these terms and to our <Link to={paths.privacy}>Privacy Policy</Link>. They are
        an agreement between you and Porchlight. Anything you agree on with another neighbor or a guru, such as a
        session, a price or a swap, is between the two of you. We provide the platform.
      </p>
    ),
  },
  {
    id: "age",
    title: "Who can use Porchlight",
    body: (
      <>
        <p>
          You must be <strong>at least 13 years old</strong>. If you're under 18, you need the consent of a parent or
          guardian, who also signs any waivers.
        </p>
        <p>
          One account per person. Keep your password private. You're responsible for what happens under your account.
        </p>
      </>
    ),
  },
  {
    id: "neighbors",
    title: "Be a good neighbor",
    body: (
      <>
        <p>Be honest about who you are and what you can do. You may not use Porchlight to:</p>
        <ul>
          <li>offer anything illegal, or anything you don't have the required license or insurance for;</li>
          <li>harass, threaten, discriminate against or deceive anyone;</li>
          <li>collect other people's data, send spam, or get around our limits;</li>
          <li>take a booking off the platform to avoid a waiver or payment.</li>
        </ul>
        <p>
          We may remove content and suspend accounts or guru sites that break these rules. When it's safe to do so,
          we'll tell you why and hear your side first.
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
          Gurus are independent. They set their own services, prices and hours, and they're responsible for the quality
          of their work, for taxes, and for having the documents their category requires. Where insurance is required,
          general liability coverage is $1M/$2M.
        </p>
        <p>
          Approving a document means that a person reviewed it. It doesn't guarantee anyone's skill or the outcome of
          any session.
        </p>
      </>
    ),
  },
  {
    id: "sessions",
    title: "Bookings and swaps",
    body: (
      <p>
        A booking is binding once the guru has confirmed it. Each service states its price, length, and rescheduling and
        cancellation terms. In a swap, no money changes hands: both of you commit your time. If something goes wrong,
        talk to each other first, then tell us.
      </p>
    ),
  },
  {
    id: "waivers",
    title: "Waivers",
    body: (
      <>
        <p>
          Some activities can cause injury. For higher-risk categories, you need to accept a liability waiver before you
          can take part. For high-risk ones, you also need to add an emergency contact.
        </p>
        <p>
          <strong>Waivers expire automatically:</strong> after 30 days for high risk, and after 90 days for medium and
          low risk. You can't book a session that needs a waiver without a valid one. You can accept a new one anytime.
        </p>
      </>
    ),
  },
  {
    id: "payments",
    title: "Plans, payments and payouts",
    body: (
      <p>
        Community Member is free. Skill Sharer costs $9 and Premium Angel $19 per month until you cancel. A canceled
        plan stays active until the end of the month you've paid for. Our payment provider handles payments and payouts
        under its own terms. We show any fees before you confirm.
      </p>
    ),
  },
  {
    id: "content",
    title: "Your content",
    body: (
      <p>
        You own what you write and upload. You allow us to store it, show it where you published it, and adapt it to
        different screens for as long as it's published. Only upload content you have the right to share.
      </p>
    ),
  },
  {
    id: "warranty",
    title: "No guarantees",
    body: (
      <p>
        We work hard to keep Porchlight running, accurate and safe, but we provide it “as is.” We don't supervise
        sessions, and we can't promise that every profile is accurate, that every match will work out, or that the
        service will never be interrupted.
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
          <strong>limited to the amount you paid to Porchlight in the previous 12 months</strong>. We aren't liable for
          what users do to each other or for indirect losses.
        </p>
        <p>Nothing in these terms limits liability that can't be limited by law.</p>
      </>
    ),
  },
  {
    id: "ending",
    title: "Closing your account",
    body: (
      <p>
        You can delete your account anytime. Open bookings and payouts are settled first. To learn what we delete and
        what we have to keep, see the <Link to={paths.privacy}>Privacy Policy</Link>. We may close an account that
        seriously or repeatedly breaks these terms.
      </p>
    ),
  },
  {
    id: "changes",
    title: "Changes and questions",
    body: (
      <p>
        If we make a significant change to these terms, we'll tell you at least 30 days in advance. If you keep using
        Porchlight after that, the new terms apply. Questions? <Link to={paths.contact}>Contact us</Link>.
      </p>
    ),
  },
];

/** The terms (SPEC 2.10), at /terms and /terms_and_conditions. */
export function TermsPage() {
  return (
    <LegalDocument
      head={PAGE_HEADS[paths.terms]}
      lead="The rules of the neighborhood, as short as we could make them. They apply whenever you use Porchlight, so please read them."
      sections={SECTIONS}
    />
  );
}
