import type { ReactNode } from "react";
import "./panel.css";

interface Props {
  icon?: ReactNode;
  title?: ReactNode;
  children?: ReactNode;
  /** One button at the right; below the text on phones. */
  action?: ReactNode;
  /** Amber ("safety") only where a rule protects a person, red ("danger") only where something stops. */
  tone?: "plain" | "safety" | "danger" | "ink";
}

/** A sentence that matters, with at most one thing to do about it. */
export function Panel({ icon, title, children, action, tone = "plain" }: Props) {
  return (
    <div className="panel" data-tone={tone}>
      {icon}
      <div className="panel-body">
        {title && <div className="panel-title">{title}</div>}
        {children}
      </div>
      {action && <div className="panel-action">{action}</div>}
    </div>
  );
}
