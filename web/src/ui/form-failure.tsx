import { IconAlertCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import "./panel.css";

/** Why a form could not be sent, where no single field is to blame. */
export function FormFailure({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="panel" data-tone="danger">
      <IconAlertCircle size={18} stroke={1.7} aria-hidden />
      <div className="panel-body">{children}</div>
    </div>
  );
}
