import { type CasePlace, firstMeetingName, firstMeetingWord, hasMiams } from "@app/shared/case-states";
import { useCurrentUser } from "../../core/session.ts";

interface FirstMeeting {
  place: CasePlace;
  /** Whether it is one of the Family Procedure Rules, with an accredited mediator and a certificate. */
  isMiam: boolean;
  name: string;
  /** The same within a sentence. */
  word: string;
}

/** What the first meeting of each party is in the family cases of this practice. */
export function useFirstMeeting(): FirstMeeting {
  const { region } = useCurrentUser();
  const place = { domain: "family", region };
  return { place, isMiam: hasMiams(place), name: firstMeetingName(place), word: firstMeetingWord(place) };
}
