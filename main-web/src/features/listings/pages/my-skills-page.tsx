import { SearchX } from "lucide-react";
import { useSearchParams } from "react-router-dom";
import { useFlag } from "@/lib/feature-flags";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useMySkills } from "../api/get-my-skills";
import { AreaCard } from "../components/area-card";
import styles from "../components/listings.module.css";
import { TaughtSkills } from "../components/taught-skills";
import { WantedSkills } from "../components/wanted-skills";

/** The skills the user teaches, with listings, and wants to learn. */
export function MySkillsPage() {
  const [params] = useSearchParams();
  const on = useFlag("skillListing");
  const mySkills = useMySkills();
  return (
    <PageHead title="My skills" description="What you teach and want to learn.">
      <div className={`container ${styles.page}`}>
        <header>
          <h1>My skills</h1>
          <p className={styles.soft}>We match you based on what you teach and want to learn.</p>
        </header>
        {!on ? (
          <EmptyState icon={SearchX} title="Listings are turned off right now">
            Your skills are still saved in your profile.
          </EmptyState>
        ) : mySkills.isError ? (
          <ErrorState
            title="We couldn't load your skills"
            message={mySkills.error.message}
            onRetry={() => void mySkills.refetch()}
            retrying={mySkills.isFetching}
          />
        ) : mySkills.isPending ? (
          <div aria-busy="true">
            <Skeleton height="12rem" radius="md" />
          </div>
        ) : (
          <div className={styles.columns}>
            <TaughtSkills skills={mySkills.data} suggested={params.get("offer") ?? ""} />
            <div className={styles.side}>
              <WantedSkills wants={mySkills.data.wants} />
              <AreaCard city={mySkills.data.city} byArea={mySkills.data.byArea} />
            </div>
          </div>
        )}
      </div>
    </PageHead>
  );
}
