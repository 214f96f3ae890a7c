import { SiteHead } from "../../../components/layout/site-head";
import { Icon } from "../../../components/ui/icon";
import { PageHeading } from "../../../components/ui/page-heading";
import { messagesUrl } from "../../../lib/messages-url";
import type { ContactProps } from "../../../lib/types";
import { LeadForm } from "../components/lead-form";

export function ContactPage({ site, services, form }: ContactProps) {
  const { guru } = site;
  return (
    <>
      <SiteHead
        site={site}
        path="/contact"
        title={`Contact ${guru.character}`}
        description={`Ask ${guru.character} a question or set up a session.`}
        jsonLd={{ "@context": "https://schema.org", "@type": "ContactPage", url: `${site.origin}/contact` }}
      />
      <div className="container page">
        <div className="form-layout">
          <div>
            <PageHeading eyebrow="Contact" title={`Get in touch with ${guru.character}`}>
              <p className="intro">Tell me what you'd like to learn. I read every message.</p>
            </PageHeading>
            <ul className="icon-list">
              <li>
                <Icon name="message-circle" />
                Replies come by email, usually within a day or two
              </li>
              <li>
                <Icon name="calendar" />
                No account needed, and this doesn't book a session yet
              </li>
              {site.takesMessages && (
                <li>
                  <Icon name="user-round" />
                  <span>
                    Already a neighbor on Porchlight?{" "}
                    <a className="text-link" href={messagesUrl(site)}>
                      Message {guru.character}
                    </a>
                  </span>
                </li>
              )}
              {guru.city !== "" && (
                <li>
                  <Icon name="map-pin" />
                  {guru.city}
                </li>
              )}
            </ul>
          </div>
          <LeadForm guru={guru} services={services} posted={form} />
        </div>
      </div>
    </>
  );
}
