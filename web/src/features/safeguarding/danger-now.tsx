import { IMMEDIACY_NAMES } from "@app/shared/safeguarding";
import { Button, Stack } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { Panel } from "../../ui/panel.tsx";
import { goToSection } from "../../ui/section.tsx";
import { SAFEGUARDING_PLACE } from "./safeguarding-section.tsx";

/** Who is in danger now, as the safeguarding record says last, for those who may read it: before all else of a case. */
export function DangerNow({ caseId }: { caseId: string }) {
  const formats = useFormats();
  const entries = api.safeguarding.list.useQuery({ caseId, page: 1 });
  const urgent = (entries.data?.items ?? []).filter(({ latest }) => latest.immediacy === "now");
  if (urgent.length === 0) return null;
  return (
    <Stack gap="xs" mb="md">
      {urgent.map(({ id, latest }) => (
        <Panel
          key={id}
          tone="danger"
          icon={<IconAlertTriangle size={18} stroke={1.7} aria-hidden />}
          title={`${IMMEDIACY_NAMES.now}: ${latest.personAtRisk}`}
          action={
            <Button variant="default" onClick={() => goToSection(SAFEGUARDING_PLACE)}>
              Open the record
            </Button>
          }
        >
          Recorded on {formats.dateTime(latest.at)} by {latest.byName}. Act on it first, and amend the entry once nobody
          is in danger now.
        </Panel>
      ))}
    </Stack>
  );
}
