import { paths } from "@/config/paths";
import { PageHead } from "@/components/layout/page-head";
import { PAGE_HEADS } from "../page-heads";
import { Areas } from "../components/areas";
import { Hero } from "../components/hero";
import { Neighborhood } from "../components/neighborhood";

/** The home page of the main platform (SPEC 2.3). */
export function HomePage() {
  return (
    <PageHead {...PAGE_HEADS[paths.home]}>
      <Hero />
      <Areas />
      <Neighborhood />
    </PageHead>
  );
}
