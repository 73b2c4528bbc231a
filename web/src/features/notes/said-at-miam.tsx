import type { Assessment } from "@app/shared/assessments";
import type { Case } from "@app/shared/cases";
import { NativeSelect } from "@mantine/core";
import { api } from "../../core/api.ts";
import { useFirstMeeting } from "../assessments/use-first-meeting.ts";
import { useFormats } from "../../core/format.ts";

interface Props {
  theCase: Case;
  /** The record that is named; empty for none. */
  value: string;
  onChange: (record: Pick<Assessment, "id" | "partyId"> | null) => void;
}

/** At whose MIAM it was said, where MIAMs are recorded: that is private to whoever attended, whatever they signed since. */
export function SaidAtMiam({ theCase, value, onChange }: Props) {
  const formats = useFormats();
  const { isMiam, word } = useFirstMeeting();
  const records = api.assessments.list.useQuery({ caseId: theCase.id }, { enabled: theCase.domain === "family" });
  const held = records.data?.items.filter(({ status }) => status === "held") ?? [];
  if (held.length === 0) return null;
  const nameOf = (id: string) => theCase.parties.find(({ partyId }) => partyId === id)?.name ?? "";
  return (
    <NativeSelect
      label={isMiam ? "Was it said at a MIAM?" : "Was it said at an individual meeting?"}
      data={[
        { value: "", label: "No" },
        ...held.map(({ id, partyId, attendedOn }) => ({
          value: id,
          label: `At the ${word} of ${nameOf(partyId)}, ${formats.calendarDay(attendedOn)}`,
        })),
      ]}
      value={value}
      onChange={(event) => onChange(held.find(({ id }) => id === event.currentTarget.value) ?? null)}
    />
  );
}
