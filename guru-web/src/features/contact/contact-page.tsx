import { PageHeading } from "../../site/page-heading";
import { SiteHead } from "../../site/site-head";
import type { ContactProps } from "../../site/types";
import { Icon } from "../../ui/icon";
import { LeadForm } from "./lead-form";

export function ContactPage({ site, services, form }: ContactProps) {
  const { guru } = site;
  return (
    <>
      <SiteHead
        site={site}
        path="/contact"
        title={`Contact ${guru.character}`}
        description={`Ask ${guru.character} a question or arrange a session.`}
        jsonLd={{ "@context": "https://schema.org", "@type": "ContactPage", url: `${site.origin}/contact` }}
      />
      <div className="wrap page">
        <div className="contact">
          <div>
            <PageHeading eyebrow="Contact" title={`Write to ${guru.character}`}>
              <p className="lead">Tell a little about what you would like to learn. A person reads every message.</p>
            </PageHeading>
            <ul className="glance">
              <li>
                <Icon name="message-circle" />
                Answers come by email, usually within a day or two
              </li>
              <li>
                <Icon name="calendar" />
                No account needed, nothing is booked yet
              </li>
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
