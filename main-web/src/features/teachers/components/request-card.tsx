import { CalendarPlus } from "lucide-react";
import { Suspense, type ComponentType } from "react";
import { Link } from "react-router-dom";
import { paths, type Path } from "@/config/paths";
import type { RequestedAction } from "@/lib/requested-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { CategoryAngels } from "./category-angels";
import { CategoryTeachers } from "./category-teachers";
import { ServiceTimes } from "./service-times";
import styles from "./teachers.module.css";

type Origin = {
  /** What the person came for, by the category that they chose; "" without one. */
  title: (category: string) => string;
  to: Path;
  label: string;
  /** The search parameter with which that page filters by category. */
  filter: "q" | "category";
};

const ORIGINS: Record<RequestedAction["action"], Origin> = {
  "book-skill-session": {
    title: (category) => (category ? `Book a ${category} session` : "Book a session"),
    to: paths.skills,
    label: "Back to SkillShare",
    filter: "q",
  },
  "find-teachers": {
    title: (category) => (category ? `${category} teachers` : "Find a teacher"),
    to: paths.skills,
    label: "Back to SkillShare",
    filter: "q",
  },
  "book-service": {
    title: (category) => (category ? `Book ${category}` : "Book a service"),
    to: paths.angelsList,
    label: "Back to Angel's List",
    filter: "category",
  },
};

type RequestCardProps = {
  request: RequestedAction;
  /** The form that asks the angels. */
  needRequest: ComponentType<{ service: string; category: string }>;
  /** The teacher of a listing. */
  listingTeacher: ComponentType<{ id: string }>;
};

/** What the user came for, with its next step at once (SPEC 4, "Booking or finding teachers"). */
export function RequestCard({ request, needRequest, listingTeacher }: RequestCardProps) {
  const { action, category, guru } = request;
  const origin = ORIGINS[action];
  const title = origin.title(category);
  return (
    <Card as="section" aria-labelledby="request" className={styles.request}>
      <header className={styles.head}>
        <CalendarPlus size={22} aria-hidden="true" />
        <div>
          <h2 id="request" className={styles.title}>
            {title}
          </h2>
          {request.message && request.message !== title && <p className={styles.soft}>{request.message}</p>}
        </div>
      </header>
      <Suspense fallback={<Skeleton height="8rem" radius="md" />}>
        <NextStep request={request} needRequest={needRequest} listingTeacher={listingTeacher} />
      </Suspense>
      {!guru && (
        <div className={styles.links}>
          <Button asChild variant="secondary" size="sm">
            <Link to={{ pathname: origin.to, search: parameter(origin.filter, category) }}>{origin.label}</Link>
          </Button>
        </div>
      )}
    </Card>
  );
}

function NextStep({ request, needRequest: NeedRequest, listingTeacher: ListingTeacher }: RequestCardProps) {
  const { action, category, guru, service, listing } = request;
  if (guru) return <ServiceTimes guru={guru} service={service} />;
  if (action === "book-service") {
    return (
      <>
        <div className={styles.form}>
          <NeedRequest service={service} category={category} />
        </div>
        {(service || category) && (
          <>
            <h3 className={styles.name}>Or ask one angel</h3>
            <CategoryAngels category={category} service={service} />
          </>
        )}
      </>
    );
  }
  return (
    <>
      {listing && <ListingTeacher id={listing} />}
      {category && <CategoryTeachers category={category} shown={listing} />}
    </>
  );
}

function parameter(name: string, value: string): string {
  return value && `?${new URLSearchParams({ [name]: value }).toString()}`;
}
