import { useState } from "react";
import { Link } from "react-router-dom";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { ButtonRow } from "@/components/ui/stack";
import { Tabs } from "@/components/ui/tabs";
import { paths } from "@/config/paths";
import { useSearchParamsState } from "@/lib/use-search-params-state";
import { useConsole } from "@/features/console/contract";
import { useImpersonation } from "@/lib/impersonation";
import { PageLead, PageTitle } from "@/components/ui/page-header";
import { SubscribeButton } from "../../components/subscribe-button";
import { BookingDialog } from "../components/booking-dialog";
import styles from "../components/calendar.module.css";
import { BookingList } from "../components/booking-list";
import { CustomerDialog } from "../components/customer-dialog";
import { Requests } from "../components/requests";
import { WeekView } from "../week/week-view";

const TABS = ["week", "upcoming", "past"];
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The guru's sessions: requests, the week, and lists. `?booking=` opens one of them. */
export function CalendarPage() {
  const [params, setParams] = useSearchParamsState();
  const tab = TABS.find((each) => each === params.get("tab")) ?? "week";
  const from = params.get("from") ?? "";
  const booking = params.get("booking") ?? "";
  const { status } = useConsole();
  const impersonation = useImpersonation();
  // "" is a booking whose time is not chosen yet.
  const [bookingAt, setBookingAt] = useState<string | null>(null);

  function setParam(name: string, value: string) {
    setParams(
      (current) => {
        if (value) current.set(name, value);
        else current.delete(name);
        return current;
      },
      { replace: true },
    );
  }

  const open = (id: string) => setParam("booking", id);
  return (
    <PageHead title="Calendar" description="Your sessions with neighbors.">
      <header className={styles.title}>
        <div>
          <PageTitle>Calendar</PageTitle>
          <PageLead>
            Your sessions with neighbors. <Link to={paths.guruHours}>Set your hours</Link>
          </PageLead>
        </div>
        <ButtonRow>
          {impersonation === null && <SubscribeButton kind="guru" />}
          <Button asChild variant="secondary">
            {/* A document of its own, because only that page may use the camera. */}
            <a href={paths.guruCheckIn}>Check in</a>
          </Button>
          {status === "active" && (
            <Button variant="secondary" onClick={() => setBookingAt("")}>
              Book for a customer
            </Button>
          )}
        </ButtonRow>
      </header>
      <Requests onOpen={open} />
      <Tabs
        label="Sessions"
        value={tab}
        onValueChange={(value) => setParam("tab", value === "week" ? "" : value)}
        tabs={[
          {
            value: "week",
            label: "Schedule",
            content: (
              <WeekView
                from={DAY.test(from) ? from : ""}
                view={params.get("view") ?? ""}
                onFromChange={(day) => setParam("from", day)}
                onViewChange={(view) => setParam("view", view)}
                onOpen={open}
                onBook={status === "active" ? setBookingAt : null}
              />
            ),
          },
          { value: "upcoming", label: "Upcoming", content: <BookingList when="upcoming" onOpen={open} /> },
          { value: "past", label: "Past", content: <BookingList when="past" onOpen={open} /> },
        ]}
      />
      {bookingAt !== null && <CustomerDialog startsAt={bookingAt} onClose={() => setBookingAt(null)} />}
      {booking && <BookingDialog key={booking} id={booking} onClose={() => setParam("booking", "")} />}
    </PageHead>
  );
}
