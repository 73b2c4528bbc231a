import type { Case } from "@app/shared/cases";
import { MEETING_TYPE_NAMES } from "@app/shared/meeting-states";
import type { SessionMeeting } from "@app/shared/session-meetings";
import { useFormats } from "../../core/format.ts";

/** Which meeting it is, in words: when, of which type, and with whom. */
export function useMeetingName({ parties }: Case) {
  const formats = useFormats();
  return ({ startsAt, type, partyIds }: SessionMeeting): string => {
    const labels = parties.filter(({ partyId }) => partyIds.includes(partyId)).map(({ label }) => label);
    return [formats.dateTime(startsAt), MEETING_TYPE_NAMES[type], ...labels].join(", ");
  };
}
