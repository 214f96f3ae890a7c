import { Notice } from "../../site/notice";
import { PageHeading } from "../../site/page-heading";
import { SiteHead } from "../../site/site-head";
import type { ReportProps } from "../../site/types";
import { Icon } from "../../ui/icon";

const REASONS: readonly [string, string][] = [
  ["spam", "Spam or advertising"],
  ["scam", "Scam or fraud"],
  ["offensive", "Hateful or offensive"],
  ["dangerous", "Dangerous or illegal"],
  ["impersonation", "Pretends to be somebody else"],
  ["rights", "Uses somebody's work without permission"],
  ["other", "Something else"],
];
const DETAILS = 2000;

/** Tells Porchlight's staff about this site or a post of it. A plain form: it works without JavaScript as it does with it. */
export function ReportPage({ site, about, form }: ReportProps) {
  const path = about.slug === null ? "/report" : `/report/blog/${encodeURIComponent(about.slug)}`;
  const back = about.slug === null ? "/" : `/blog/${encodeURIComponent(about.slug)}`;
  return (
    <>
      <SiteHead
        site={site}
        path={path}
        title={`Report this · ${site.guru.character}`}
        description={`Tell the people who run Porchlight about ${about.title}.`}
        jsonLd={{ "@context": "https://schema.org", "@type": "WebPage", url: site.origin + path }}
      />
      <div className="wrap page">
        <div className="contact">
          <div>
            <PageHeading eyebrow="Report" title={form?.sent === true ? "Report sent" : "Report this"}>
              <p className="lead">
                {about.slug === null ? `The site of ${about.title}` : `“${about.title}”`}. Only the people who run Porchlight
                read what you write here.
              </p>
            </PageHeading>
            <p>
              <a className="more" href={back}>
                <Icon name="arrow-left" />
                Back
              </a>
            </p>
          </div>
          {form?.sent === true ? <Sent words={form.message ?? ""} /> : <ReportForm path={path} form={form} />}
        </div>
      </div>
    </>
  );
}

function ReportForm({ path, form }: { path: string; form: ReportProps["form"] }) {
  const errors = form?.errors ?? {};
  return (
    <form className="panel form" method="post" action={path} aria-label="Your report">
      {form?.message ? (
        <Notice title={form.message}>
          <p>Nothing you typed is lost.</p>
        </Notice>
      ) : null}
      <div className="field">
        <label htmlFor="report-reason">What is wrong?</label>
        <select {...described("reason", errors.reason)} required defaultValue={form?.values.reason ?? ""}>
          <option value="">Choose a reason</option>
          {REASONS.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        <Fault name="reason" words={errors.reason} />
      </div>
      <div className="field">
        <label htmlFor="report-details">
          Anything that helps us understand<span className="optional"> (optional)</span>
        </label>
        <textarea
          {...described("details", errors.details)}
          rows={6}
          maxLength={DETAILS}
          defaultValue={form?.values.details ?? ""}
        />
        <Fault name="details" words={errors.details} />
      </div>
      <div className="trap" aria-hidden="true">
        <label htmlFor="report-website">Leave this empty</label>
        <input id="report-website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <button className="button" type="submit">
        Send report
      </button>
    </form>
  );
}

function described(name: string, fault: string | undefined) {
  return {
    id: `report-${name}`,
    name,
    "aria-invalid": fault === undefined ? undefined : (true as const),
    "aria-describedby": fault === undefined ? undefined : `report-${name}-error`,
  };
}

function Fault({ name, words }: { name: string; words: string | undefined }) {
  if (words === undefined) return null;
  return (
    <p className="field-error" id={`report-${name}-error`}>
      {words}
    </p>
  );
}

function Sent({ words }: { words: string }) {
  return (
    <div className="panel sent" role="status">
      <Icon name="circle-check" />
      <h2>Thank you</h2>
      <p>{words}</p>
      <a className="button button-quiet" href="/">
        Back to the site
      </a>
    </div>
  );
}
