import { formatPrice } from "../../../lib/format-number";

interface PartyFieldProps {
  party: number;
  max: number;
  /** The price for one person, in dollars. */
  price: number;
  onChange: (party: number) => void;
}

/** How many people come, with the price for all. */
export function PartyField({ party, max, price, onChange }: PartyFieldProps) {
  return (
    <div className="field party-field">
      <label htmlFor="times-party">How many people?</label>
      <select
        id="times-party"
        name="party"
        value={party}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      >
        {Array.from({ length: max }, (_, index) => index + 1).map((count) => (
          <option key={count} value={count}>
            {count === 1 ? "Just me" : `${count} people, ${formatPrice(count * price)}`}
          </option>
        ))}
      </select>
    </div>
  );
}
