import { IconChartBar } from "@tabler/icons-react";
import { EmptyPage } from "../../core/empty-page.tsx";
import { LinkButton } from "../../ui/links.tsx";

export function ReportsPage() {
  return (
    <EmptyPage
      title="Reports"
      icon={<IconChartBar size={24} stroke={1.7} />}
      missing="Nothing to report on yet"
      actions={<LinkButton to="/clients">Open clients</LinkButton>}
    >
      <p>You will find cases by stage, waiting times, outcomes and money for any period here, on screen and as PDF.</p>
      <p>This version makes none yet. The list of clients can be exported as CSV.</p>
    </EmptyPage>
  );
}
