import { ChevronDown } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useLocation } from "react-router-dom";
import { Card } from "@/components/ui/card";
import { Hint } from "@/components/ui/hint";
import { SectionCard, SectionTitle } from "@/components/ui/section-card";
import { picturesAt, spotKey, type Spot } from "../lib/pictures";
import { SpotPictures, type SpotPicturesProps } from "./spot-pictures";
import styles from "./gallery.module.css";

type SpotSectionProps = SpotPicturesProps & {
  hint?: string;
  /** Whether it is folded while it is empty. */
  isFolding?: boolean;
};

/** The pictures of one spot of the site, with a heading. */
export function SpotSection({ hint, isFolding = false, ...rest }: SpotSectionProps) {
  const { editor, spot, title, limits } = rest;
  const count = picturesAt(editor.pictures, spot).length;
  const counted = `${count} of ${limits[spot.place]}`;
  const content = <SpotPictures {...rest} />;
  if (isFolding) {
    const hasContent = count > 0 || editor.uploads.uploads.some((upload) => spotKey(upload.spot) === spotKey(spot));
    const hasProblem = picturesAt(editor.pictures, spot).some(({ key }) => editor.problems.has(key));
    return (
      <Folding spot={spot} title={title} counted={counted} hasContent={hasContent} hasProblem={hasProblem}>
        {content}
      </Folding>
    );
  }
  return (
    <SectionCard
      id={spotKey(spot)}
      title={title}
      hint={
        <>
          {hint} <span className={styles.count}>{counted}</span>
        </>
      }
    >
      {content}
    </SectionCard>
  );
}

type FoldingProps = {
  spot: Spot;
  title: string;
  counted: string;
  hasContent: boolean;
  hasProblem: boolean;
  children: ReactNode;
};

/** A section that is open when it has pictures, or when the address names it. */
function Folding({ spot, title, counted, hasContent, hasProblem, children }: FoldingProps) {
  const { hash } = useLocation();
  const id = spotKey(spot);
  const isNamed = hash === `#${id}`;
  const [wish, setWish] = useState<boolean | null>(null);
  const isOpen = hasProblem || (wish ?? (hasContent || isNamed));
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    // The section appears after the page, so the browser doesn't find the address's target by itself.
    if (isNamed) summary.current?.focus();
  }, [isNamed]);
  return (
    <Card as="section" aria-labelledby={id} data-spot={id}>
      <details
        className={styles.folding}
        open={isOpen}
        onToggle={(event) => {
          const { open } = event.currentTarget;
          if (open !== isOpen) setWish(open);
        }}
      >
        <summary ref={summary} className={styles.summary}>
          <SectionTitle id={id}>{title}</SectionTitle>
          <Hint>{counted}</Hint>
          <ChevronDown size={18} aria-hidden="true" />
        </summary>
        {children}
      </details>
    </Card>
  );
}
