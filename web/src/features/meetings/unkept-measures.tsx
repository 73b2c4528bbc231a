import { can } from "@app/shared/access";
import { isHolding } from "@app/shared/meeting-states";
import { unkeptMeasures, whoMeets } from "@app/shared/meeting-safety";
import type { Meeting } from "@app/shared/meetings";
import { MEASURE_NAMES } from "@app/shared/screenings";
import { IconShield } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Panel } from "../../ui/panel.tsx";

/** What screenings ask of this meeting and it goes without, for whoever may read them: some are held after it was booked. */
export function UnkeptMeasures({ meeting }: { meeting: Meeting }) {
  const { caseId, status, againstMeasures } = meeting;
  const user = useCurrentUser();
  const isAsked = caseId !== null && isHolding(status) && can(user, "screening.read");
  const measured = api.screenings.measures.useQuery({ caseId: caseId ?? "" }, { enabled: isAsked });
  const items = isAsked ? (measured.data?.items ?? []) : [];
  const partyIds = whoMeets(
    meeting,
    items.map(({ partyId }) => partyId),
  );
  if (meeting.partyIds.length === 1) return null;
  const agreed = new Set(items.flatMap(({ partyId, measures }) => (partyIds.includes(partyId) ? measures : [])));
  const unkept = unkeptMeasures([...agreed], { ...meeting, partyIds });
  if (unkept.length === 0) return null;
  return (
    <Panel
      tone="safety"
      icon={<IconShield size={18} stroke={1.7} aria-hidden />}
      title="Not as agreed for their safety"
    >
      {`This meeting goes without: ${unkept.map((each) => MEASURE_NAMES[each].toLowerCase()).join(", ")}.`}
      {againstMeasures === "" && " Change it, or say why it goes without."}
    </Panel>
  );
}
