import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { takesFocus } from "./focus.ts";
import "./section.css";

interface Props {
  title: ReactNode;
  count?: number | string | undefined;
  /** At the right of the title: a link, a chip, a button. */
  action?: ReactNode;
  children: ReactNode;
  /** Heading level; 2 unless the section stands inside another. */
  order?: 2 | 3;
  /** Its id on the page, for what leads to it. */
  place?: string;
}

/** Brings the section that stands there into sight, and the keyboard to its heading. */
export function goToSection(place: string): void {
  const section = document.getElementById(place);
  section?.scrollIntoView();
  takesFocus(section?.querySelector("h2, h3"));
}

/** A named part of a page: a rule under its title, never a box around it. */
export function Section({ title, count, action, children, order = 2, place }: Props) {
  const id = useId();
  return (
    <section id={place} className="section" aria-labelledby={id}>
      <div className="section-head" data-order={order}>
        <div className="section-title">
          <Title order={order} id={id} tabIndex={place === undefined ? undefined : -1}>
            {title}
          </Title>
          {count !== undefined && <span className="section-count">{count}</span>}
        </div>
        {action && <div className="section-action">{action}</div>}
      </div>
      {children}
    </section>
  );
}
