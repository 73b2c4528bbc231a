import { Button } from "@mantine/core";
import { IconShield } from "@tabler/icons-react";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { SessionAgenda } from "./session-agenda.tsx";
import { AttendanceRow } from "./attendance-row.tsx";
import { mayReview, useCockpit } from "./cockpit-context.ts";
import { ReadersButton } from "./cockpit-head.tsx";
import { OtherAttendees } from "./other-attendees.tsx";
import { SafetyPanel } from "./safety-panel.tsx";
import "./cockpit-side.css";

/** Safety first, then who is here, then what is talked about. */
export function CockpitSide() {
  const cockpit = useCockpit();
  const { theCase, show } = cockpit;
  const isPhone = useIsPhone();
  return (
    <aside className="cockpit-pane cockpit-side" aria-label="Safety, attendance and agenda">
      <SafetyPanel />
      <ul className="cockpit-attendees" aria-label="Who is here">
        {theCase.parties.map((party) => (
          <AttendanceRow key={party.partyId} party={party} />
        ))}
        <OtherAttendees />
      </ul>
      <SessionAgenda />
      <div className="cockpit-side-foot">
        {mayReview(cockpit) && (
          <Button
            fullWidth
            variant="default"
            leftSection={<IconShield size={16} stroke={1.7} className="safety-icon" aria-hidden />}
            onClick={() => show("safety")}
          >
            Record a safety review
          </Button>
        )}
        {isPhone && <ReadersButton />}
      </div>
    </aside>
  );
}
