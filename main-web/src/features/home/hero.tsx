import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { Button } from "../../ui/button";
import { cityHero } from "./city-heroes/city-hero";
import styles from "./hero.module.css";
import { LocationPicker } from "./location/location-picker";
import { useLocationLabel } from "./location/use-location-label";

export function Hero() {
  const location = useLocationLabel();
  const picture = cityHero(location.label);
  return (
    <section className={styles.hero}>
      <img key={picture} className={styles.picture} src={picture} alt="" width={1600} height={700} />
      <div className={`container ${styles.content}`}>
        <LocationPicker location={location} />
        <h1 className={styles.title}>Somebody on your street knows how.</h1>
        <p className={styles.lead}>
          Learn a skill, teach one, book a local guru or borrow a pair of hands. Porchlight is where neighbors trade what
          they know.
        </p>
        <div className={styles.actions}>
          <Button asChild size="lg">
            <Link to={paths.signup}>Start Your Journey</Link>
          </Button>
          <Button asChild size="lg" variant="secondary">
            <Link to={paths.angelsList}>Browse Services</Link>
          </Button>
        </div>
      </div>
    </section>
  );
}
