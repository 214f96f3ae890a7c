import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { Button } from "../../ui/button";
import { Page } from "../../ui/page";

export function HomePage() {
  return (
    <Page title="Porchlight: skills, gurus and help on your own street" description="Swap skills with neighbours.">
      <section className="container">
        <h1>Good neighbours know things</h1>
        <Button asChild size="lg">
          <Link to={paths.signup}>Start Your Journey</Link>
        </Button>
      </section>
    </Page>
  );
}
