import { MEETING_TYPES, meetingTypeName, type MeetingType, meetingTypesFor } from "@app/shared/meeting-states";
import { NativeSelect } from "@mantine/core";
import { api } from "../../core/api.ts";
import { useCurrentUser } from "../../core/session.ts";

interface Props {
  value: MeetingType;
  /** Empty for none. */
  caseId: string;
  onChange: (type: MeetingType) => void;
}

/** What kind of meeting it is, of those that the practice and this kind of case have. */
export function MeetingTypeSelect({ value, caseId, onChange }: Props) {
  const { mediatorType, region } = useCurrentUser();
  const theCase = api.cases.get.useQuery({ id: caseId }, { enabled: caseId !== "" });
  const place = theCase.data ? { domain: theCase.data.domain, region } : null;
  const offered = meetingTypesFor(mediatorType, theCase.data?.domain, value);
  return (
    <NativeSelect
      label="Kind"
      data={offered.map((type) => ({ value: type, label: meetingTypeName(type, place) }))}
      value={value}
      onChange={(event) => onChange(typeOf(event.currentTarget.value))}
    />
  );
}

const typeOf = (value: string): MeetingType => MEETING_TYPES.find((type) => type === value) ?? "other";
