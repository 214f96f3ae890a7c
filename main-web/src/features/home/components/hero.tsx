import { Suspense, useState, type ComponentType } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { cx } from "@/lib/cx";
import { useFlag } from "@/lib/feature-flags";
import { useSession } from "@/lib/session/session-context";
import { PlaceHint } from "@/features/places/contract";
import { Button } from "@/components/ui/button";
import { SearchForm } from "@/components/ui/search-form";
import { cityHero } from "../lib/city-heroes/city-hero";
import styles from "./hero.module.css";
import { LightsLink } from "./lights-link";
import { LocationPicker } from "./location-picker";
import { useLocationLabel } from "../lib/use-location-label";

type HeroProps = { nextSession: ComponentType };

export function Hero({ nextSession: NextSession }: HeroProps) {
  const isSignedIn = useSession().status === "signed-in";
  const location = useLocationLabel();
  const canSearch = useFlag("skillListing");
  const heroImage = cityHero(location.label);
  // The first picture is the page's largest paint: fading it in would delay that.
  const [firstImage] = useState(heroImage);
  return (
    <section className={styles.hero}>
      {/* On the picture: it arrives after the first paint and must move nothing. */}
      <div className={styles.evening}>
        {isSignedIn && (
          <Suspense fallback={null}>
            <NextSession />
          </Suspense>
        )}
        <LightsLink />
      </div>
      <div className={`container ${styles.content}`}>
        <LocationPicker location={location} />
        {location.typed && <PlaceHint text={location.typed} checksFirstText onChoose={location.setLocation} />}
        <h1 className={styles.title}>Someone on your street knows how.</h1>
        <p className={styles.lead}>
          Learn a skill, teach one, book a local guru or get some help. Porchlight is where neighbors share what they
          know.
        </p>
        {canSearch && (
          <SearchForm
            label="What are you looking for?"
            placeholder="Try guitar or a leaky sink"
            size="lg"
            className={styles.search}
          />
        )}
        <div className={styles.actions}>
          <Button asChild size="lg">
            <Link to={paths.signup}>Start Your Journey</Link>
          </Button>
          <Button asChild size="lg" variant="secondary">
            <Link to={paths.angelsList}>Browse Services</Link>
          </Button>
        </div>
      </div>
      {/* Last, because it stands at the section's lower edge: it would move while a slow phone parses the words. */}
      <img
        key={heroImage}
        className={cx(styles.picture, heroImage !== firstImage && styles.arriving)}
        src={heroImage}
        alt=""
        width={1600}
        height={700}
      />
    </section>
  );
}
