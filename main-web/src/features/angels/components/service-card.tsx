import {
  Flower2,
  Hammer,
  HeartHandshake,
  type LucideIcon,
  MapPin,
  PawPrint,
  ShoppingBag,
  Sparkles,
  Star,
  Truck,
} from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import type { AngelService } from "../api/get-angels";
import styles from "./service-card.module.css";
import { formatRating } from "@porchlight/shared/format/numbers";
import { formatMoney } from "@porchlight/shared/format/money";

const ICONS: Record<string, LucideIcon> = {
  Home: Hammer,
  Moving: Truck,
  Cleaning: Sparkles,
  Outdoor: Flower2,
  Pets: PawPrint,
  Errands: ShoppingBag,
};

type ServiceCardProps = {
  service: AngelService;
  /** The city filter; "" for all. */
  city: string;
  onBook: () => void;
};

/** A kind of local help: who offers it and at what price. */
export function ServiceCard({ service, city, onBook }: ServiceCardProps) {
  const Icon = ICONS[service.category] ?? HeartHandshake;
  const title = `service-${service.id}`;
  return (
    <Card as="li" className={styles.card} aria-labelledby={title}>
      <header className={styles.header}>
        <span className={styles.icon}>
          <Icon size={22} aria-hidden="true" />
        </span>
        <div className={styles.heading}>
          <h2 id={title} className={styles.title}>
            {service.title}
          </h2>
          <Badge tone="good">
            {service.providers} {service.providers === 1 ? "angel" : "angels"}
          </Badge>
        </div>
      </header>
      <p className={styles.description}>{service.description}</p>
      <dl className={styles.facts}>
        <div>
          <dt className="visually-hidden">Average price</dt>
          <dd>
            <strong className={styles.price}>{priceLabel(service.avgPrice)}</strong> average
          </dd>
        </div>
        <div>
          <dt className="visually-hidden">Rating</dt>
          <dd className={styles.rating}>
            <Star size={15} aria-hidden="true" />
            {service.rating === null ? (
              "New"
            ) : (
              <>
                {formatRating(service.rating)}
                <span className="visually-hidden"> out of 5</span>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt className="visually-hidden">City</dt>
          <dd>
            <MapPin size={15} aria-hidden="true" />
            {service.city}
          </dd>
        </div>
      </dl>
      <div className={styles.actions}>
        <Button asChild variant="secondary" aria-describedby={title}>
          <Link
            to={{
              pathname: paths.serviceAngels.replace(":service", service.id),
              search: city && new URLSearchParams({ city }).toString(),
            }}
          >
            View Angels
          </Link>
        </Button>
        <Button onClick={onBook} aria-describedby={title}>
          Book Now
        </Button>
      </div>
    </Card>
  );
}

/** Format dollars per hour: 45 as "$45/hr", 19.5 as "$19.50/hr". */
export function priceLabel(dollars: number): string {
  return `${formatMoney(Math.round(dollars * 100))}/hr`;
}
