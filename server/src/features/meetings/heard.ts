// Whether a party heard of a meeting, so that it is theirs to know that it is off: whoever was told nothing of it is told
// nothing of its end.
import type { Case, Party } from "@app/shared/cases";
import { hearingOf } from "../outbox/notices.service.ts";
import { openTitles, wasDone } from "../tasks/asked-tasks.service.ts";
import { agreedTimesOf } from "./agreed-times.ts";
import { chainOf } from "./meeting-chains.ts";
import type { MeetingDoc } from "./meetings.model.ts";

export interface Concerned {
  meeting: Pick<MeetingDoc, "_id" | "ownerId">;
  party: Pick<Party, "partyId" | "clientId">;
  theCase: Pick<Case, "id">;
}

/** "waiting" is what may still leave to them, "kept back" what was to reach them and, as far as is known, did not. */
export type Hearing = "heard" | "waiting" | "kept back" | "nothing";

export async function hearingNow({ meeting, party, theCase }: Concerned): Promise<Hearing> {
  const { ownerId } = meeting;
  const { partyId, clientId } = party;
  const chain = await chainOf(ownerId, meeting._id, partyId);
  if (chain.some((one) => saidSo(one, { partyId, clientId }))) return "heard";
  const meetingIds = chain.map(({ _id }) => _id);
  const left = await hearingOf(ownerId, { caseId: theCase.id, partyId, clientId, meetingIds });
  if (left === "heard") return left;
  const asked = tellingsOf(chain, { ownerId, partyId, caseId: theCase.id });
  if (await wasDone(asked)) return "heard";
  // Whoever is asked to tell them may have done it, and not said so yet.
  return (await openTitles(asked)).length > 0 ? "kept back" : left;
}

/** Whoever chose or confirmed its time themselves knows of it without a mail. */
function saidSo(meeting: MeetingDoc, { partyId, clientId }: Concerned["party"]): boolean {
  const { booking, chosenIn = [], replies } = meeting;
  const agreed = agreedTimesOf(meeting).filter(({ how }) => how !== "no");
  return booking?.clientId === clientId || [...chosenIn, ...replies, ...agreed].some((one) => one.partyId === partyId);
}

export const aboutTelling = (meetingId: string, partyId: string): string => `tell ${partyId} of ${meetingId}`;

/** The tasks to tell this party of the meeting, wherever it was moved from and to. */
export const tellingsOf = (
  chain: readonly Pick<MeetingDoc, "_id">[],
  { ownerId, partyId, caseId }: { ownerId: string; partyId: string; caseId: string },
) => ({ ownerId, caseId, abouts: chain.map(({ _id }) => aboutTelling(_id, partyId)) });
