import type { ReactNode } from "react";
import "./page-grid.css";

interface Props {
  children: ReactNode;
  side?: ReactNode;
  /** "text" keeps the main column at 640 px, for settings and forms; "wide" lets it grow. */
  main?: "text" | "wide";
}

/** Main column and a side column of 300 px; one under the other where there is no room. */
export function PageGrid({ children, side, main = "wide" }: Props) {
  return (
    <div className="page-grid" data-main={main}>
      <div className="page-grid-main">{children}</div>
      {side && <div className="page-grid-side">{side}</div>}
    </div>
  );
}
