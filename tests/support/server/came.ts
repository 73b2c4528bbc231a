import { SessionModel } from "@app/server/features/sessions/sessions.model";
import type { SessionAttendance } from "@app/shared/session-states";

/** Records of these parties, and of nobody else, whether they came to this session. */
export const cameTo = (
  { ownerId }: { ownerId: string },
  id: string,
  came: readonly (readonly [partyId: string, state: SessionAttendance])[],
) => {
  const attendance = came.map(([partyId, state]) => ({ partyId, state, at: new Date() }));
  return SessionModel.updateOne({ _id: id, ownerId }, { $set: { attendance } });
};

/** Records that all of these came. */
export const allCame = (practice: { ownerId: string }, id: string, parties: readonly { partyId: string }[]) =>
  cameTo(
    practice,
    id,
    parties.map(({ partyId }) => [partyId, "present"]),
  );
