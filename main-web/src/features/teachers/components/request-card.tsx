import { CalendarPlus } from "lucide-react";
import { Link } from "react-router-dom";
import { paths, type Path } from "@/config/paths";
import type { RequestedAction } from "@/lib/requested-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CategoryAngels } from "./category-angels";
import { CategoryTeachers } from "./category-teachers";
import { ServiceTimes } from "./service-times";
import styles from "./teachers.module.css";

type Origin = {
  title: string;
  to: Path;
  label: string;
  /** The search parameter with which that page filters by category. */
  filter: "q" | "category";
};

const ORIGINS: Record<RequestedAction["action"], Origin> = {
  "book-skill-session": {
    title: "You wanted to book a session",
    to: paths.skills,
    label: "Back to SkillShare",
    filter: "q",
  },
  "find-teachers": {
    title: "You were looking for teachers",
    to: paths.skills,
    label: "Back to SkillShare",
    filter: "q",
  },
  "book-service": {
    title: "You wanted to book a service",
    to: paths.angelsList,
    label: "Back to Angel's List",
    filter: "category",
  },
};

/** What the user came for, with people and times to book (SPEC 4, "Booking or finding teachers"). */
export function RequestCard({ request }: { request: RequestedAction }) {
  const { action, category, guru } = request;
  const origin = ORIGINS[action];
  return (
    <Card as="section" aria-labelledby="request" className={styles.request}>
      <header className={styles.head}>
        <CalendarPlus size={22} aria-hidden="true" />
        <div>
          <h2 id="request" className={styles.title}>
            {origin.title}
          </h2>
          <p className={styles.soft}>{request.message || category}</p>
        </div>
      </header>
      <Options request={request} />
      {!guru && (
        <div className={styles.links}>
          <Button asChild variant="secondary" size="sm">
            <Link to={{ pathname: origin.to, search: parameter(origin.filter, category) }}>{origin.label}</Link>
          </Button>
          {action === "book-service" && (
            <Button asChild variant="secondary" size="sm">
              <Link to={{ pathname: paths.postNeed, search: parameter("category", category) }}>Post a need</Link>
            </Button>
          )}
        </div>
      )}
    </Card>
  );
}

function Options({ request: { action, category, guru, service } }: { request: RequestedAction }) {
  if (guru) return <ServiceTimes guru={guru} service={service} />;
  if (!category) return null;
  return action === "book-service" ? <CategoryAngels category={category} /> : <CategoryTeachers category={category} />;
}

function parameter(name: string, value: string): string {
  return value && `?${new URLSearchParams({ [name]: value }).toString()}`;
}
