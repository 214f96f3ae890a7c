import type { ComponentType } from "react";
import { paths } from "@/config/paths";
import { PageHead } from "@/components/layout/page-head";
import { PAGE_HEADS } from "../page-heads";
import { Areas } from "../components/areas";
import { Hero } from "../components/hero";
import { Neighborhood } from "../components/neighborhood";

type HomePageProps = {
  /** The next session of a signed-in user, in one line; nothing without one. */
  nextSession: ComponentType;
};

/** The home page of the main platform (SPEC 2.3). */
export function HomePage({ nextSession }: HomePageProps) {
  return (
    <PageHead {...PAGE_HEADS[paths.home]}>
      <Hero nextSession={nextSession} />
      <Areas />
      <Neighborhood />
    </PageHead>
  );
}
