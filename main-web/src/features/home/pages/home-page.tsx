import { paths } from "@/config/paths";
import { Page } from "@/components/layout/page";
import { PAGE_HEADS } from "../page-heads";
import { Areas } from "../components/areas";
import { Hero } from "../components/hero";
import { Neighborhood } from "../components/neighborhood";

/** The home page of the main platform (SPEC 2.3). */
export function HomePage() {
  return (
    <Page {...PAGE_HEADS[paths.home]}>
      <Hero />
      <Areas />
      <Neighborhood />
    </Page>
  );
}
