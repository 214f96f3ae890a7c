import { SiteHead } from "../../../components/layout/site-head";
import { Icon } from "../../../components/ui/icon";
import { PageHeading } from "../../../components/ui/page-heading";
import type { ReportProps } from "../../../lib/types";
import { ReportForm } from "../components/report-form";
import { ReportSent } from "../components/report-sent";

/** Reports this site or one of its posts to Porchlight's staff. A plain form that works without JavaScript. */
export function ReportPage({ site, about, form }: ReportProps) {
  const path = about.slug === null ? "/report" : `/report/blog/${encodeURIComponent(about.slug)}`;
  const reportedPath = about.slug === null ? "/" : `/blog/${encodeURIComponent(about.slug)}`;
  const { subdomain } = site.guru;
  const reported =
    about.slug === null
      ? ({ kind: "site", name: subdomain } as const)
      : ({ kind: "post", name: `${subdomain}/${about.slug}` } as const);
  return (
    <>
      <SiteHead
        site={site}
        path={path}
        title={`Report this · ${site.guru.character}`}
        description={`Report ${about.title} to the Porchlight team.`}
        jsonLd={{ "@context": "https://schema.org", "@type": "WebPage", url: site.origin + path }}
      />
      <div className="container page">
        <div className="form-layout">
          <div>
            <PageHeading eyebrow="Report" title={form?.sent === true ? "Report sent" : "Report this"}>
              <p className="intro">
                {about.slug === null ? `${about.title}'s site` : `“${about.title}”`}. Only the Porchlight team sees your
                report.
              </p>
            </PageHeading>
            <p>
              <a className="arrow-link" href={reportedPath}>
                <Icon name="arrow-left" />
                Back
              </a>
            </p>
          </div>
          {form?.sent === true ? (
            <ReportSent message={form.message ?? ""} />
          ) : (
            <ReportForm reported={reported} path={path} form={form} />
          )}
        </div>
      </div>
    </>
  );
}
