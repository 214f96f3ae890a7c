import { Page } from "@/components/layout/page";
import { Areas } from "../components/areas";
import { Hero } from "../components/hero";
import { Neighborhood } from "../components/neighborhood";

/** The home page of the main platform (SPEC 2.3). */
export function HomePage() {
  return (
    <Page
      title="Porchlight: skills, gurus and help on your street"
      description="Swap skills with neighbors, book local gurus and get help with odd jobs, all close to home."
    >
      <Hero />
      <Areas />
      <Neighborhood />
    </Page>
  );
}
