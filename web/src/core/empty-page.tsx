import type { ReactNode } from "react";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { useTitle } from "./title.ts";

interface Props {
  /** Of the page. */
  title: string;
  icon: ReactNode;
  /** What is not here. */
  missing: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page that has nothing to show, and says why and where to go. */
export function EmptyPage({ title, icon, missing, actions, children }: Props) {
  useTitle(title);
  return (
    <>
      <PageHead title={title} />
      <EmptyState icon={icon} title={missing} actions={actions}>
        {children}
      </EmptyState>
    </>
  );
}
