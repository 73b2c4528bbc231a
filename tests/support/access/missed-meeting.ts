import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { aMeetingInput, type TestPractice } from "../server/people.ts";

/** A MIAM to which this party did not come, as it is stored: the party stays where they stand. */
export async function aMissedMeeting({ api, ownerId }: TestPractice, caseId: string, partyId: string): Promise<string> {
  const when = { startsAt: "2021-03-05T09:00:00.000Z", allowsOverlap: true };
  const input = aMeetingInput(ownerId, { caseId, type: "miam", partyIds: [partyId], ...when });
  const { id } = await api.meetings.create.mutate(input);
  await MeetingModel.updateOne({ ownerId, _id: id }, { $set: { status: "no_show", isHolding: false } });
  return id;
}
