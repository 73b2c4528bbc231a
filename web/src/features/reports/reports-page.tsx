import { IconChartBar } from "@tabler/icons-react";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

export function ReportsPage() {
  useTitle("Reports");
  return (
    <>
      <PageHead title="Reports" />
      <EmptyState
        icon={<IconChartBar size={24} stroke={1.7} />}
        title="Nothing to report on yet"
        actions={<LinkButton to="/clients">Open clients</LinkButton>}
      >
        <p>
          Cases by stage, waiting times, outcomes and money over a period you choose will stand here, on screen and as
          PDF.
        </p>
        <p>
          They are made from cases and meetings, which this version does not keep. The list of clients can be exported
          as CSV.
        </p>
      </EmptyState>
    </>
  );
}
