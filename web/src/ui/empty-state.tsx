import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import "./empty-state.css";

interface Props {
  /** A Tabler icon of 24 px. */
  icon?: ReactNode;
  title: string;
  /** What this place is for. */
  children?: ReactNode;
  /** One primary button and at most one second. */
  actions?: ReactNode;
  order?: 2 | 3;
}

export function EmptyState({ icon, title, children, actions, order = 2 }: Props) {
  return (
    <div className="empty-state">
      {icon && (
        <div className="empty-state-icon" aria-hidden>
          {icon}
        </div>
      )}
      <Title order={order} fz={16} lh="24px">
        {title}
      </Title>
      {children && <div className="empty-state-text">{children}</div>}
      {actions && <div className="empty-state-actions">{actions}</div>}
    </div>
  );
}
