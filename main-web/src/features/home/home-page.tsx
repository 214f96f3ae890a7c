import { Page } from "../../ui/page";
import { Areas } from "./areas";
import { Hero } from "./hero";
import { Neighborhood } from "./neighborhood";

/** The front door of the main platform (SPEC 2.3). */
export function HomePage() {
  return (
    <Page
      title="Porchlight: skills, gurus and help on your own street"
      description="Swap skills with neighbors, book local gurus and find a hand for odd jobs, all close to home."
    >
      <Hero />
      <Areas />
      <Neighborhood />
    </Page>
  );
}
