import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import "./page-head.css";

interface Props {
  title: ReactNode;
  /** Beside the title, quiet: a count, a status. */
  meta?: ReactNode;
  /** At most one primary button, last. */
  actions?: ReactNode;
  /** Where this page hangs: links from the outside in. */
  breadcrumb?: ReactNode;
  /** Phones show the title in the top bar; pages whose title says more keep it. */
  isTitleKeptOnPhone?: boolean;
}

export function PageHead({ title, meta, actions, breadcrumb, isTitleKeptOnPhone = false }: Props) {
  return (
    <header className="page-head">
      {breadcrumb && (
        <nav aria-label="Where this page is" className="page-head-breadcrumb">
          {breadcrumb}
        </nav>
      )}
      <div className="page-head-row">
        <div className="page-head-title" data-kept-on-phone={isTitleKeptOnPhone || undefined}>
          <Title order={1}>{title}</Title>
          {meta && <div className="page-head-meta">{meta}</div>}
        </div>
        {actions && <div className="page-head-actions">{actions}</div>}
      </div>
    </header>
  );
}
