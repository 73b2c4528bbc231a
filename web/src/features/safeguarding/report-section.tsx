import { Button } from "@mantine/core";
import { useState } from "react";
import { Section } from "../../ui/section.tsx";
import { ReportDialog } from "./report-dialog.tsx";

/** Where others read the safeguarding record of a case. */
export function ReportSection({ caseId }: { caseId: string }) {
  const [isReporting, setIsReporting] = useState(false);
  const action = (
    <Button size="xs" variant="default" onClick={() => setIsReporting(true)}>
      Report a concern
    </Button>
  );
  return (
    <Section title="Safeguarding" action={action}>
      <p className="quiet-text">
        If you hear that somebody is at risk, report it here. You cannot read it again, nor what else is recorded.
      </p>
      {isReporting && <ReportDialog caseId={caseId} onClose={() => setIsReporting(false)} />}
    </Section>
  );
}
