import { cutText } from "@app/shared/cut-text";
import { EVENT_TEXT_MAX_LENGTH, type HistoryKind } from "@app/shared/history";
import { lineVisibility, type Visibility } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { assertInTransaction } from "../../core/database.ts";
import { SYSTEM_NAME } from "../../core/system-scope.ts";
import type { Needs } from "../../core/needs.ts";
import type { Scope } from "../../core/trpc.ts";
import { takeRecordTurns } from "../../core/turns.ts";
import { HistoryModel, type MeetingLine } from "./history.model.ts";

export interface NewEvent {
  kind: HistoryKind;
  /** What happened, without the words of what is confidential. */
  text: string;
  caseId: string | null;
  clientIds: string[];
  visibility: Visibility;
  /** The permission without which nobody is told of it, where it tells of what asks for one; none where left out. */
  needs?: Needs;
  /** Where a party is told of a meeting: named when it is read, because by then they may be told less. */
  meeting?: MeetingLine;
  /** The file or note that it tells of: where that is shown to fewer, so is this. */
  subjectId?: string;
}

/** Whose history it is, and who did it: a name may change, and may be another’s by then. */
type Author = Pick<Scope, "ownerId" | "userId" | "userName">;

/** Adds to the history; call it in the transaction of the change that it tells of, so that neither stands alone. */
export const recordEvent = (scope: Author, event: NewEvent): Promise<void> => recordEvents(scope, [event]);

/** Several events at once, such as those of an import. Throws NOT_FOUND where what they tell of was taken back. */
export async function recordEvents(scope: Author, events: NewEvent[]): Promise<void> {
  const about = events.flatMap(({ caseId, clientIds, meeting }) => [
    caseId ?? "",
    ...clientIds,
    meeting?.meetingId ?? "",
  ]);
  await takeRecordTurns(scope.ownerId, about);
  const at = now();
  await HistoryModel.insertMany(
    events.map((event) => ({
      ...event,
      text: cutText(event.text, EVENT_TEXT_MAX_LENGTH),
      ownerId: scope.ownerId,
      actorId: scope.userName === SYSTEM_NAME ? "" : scope.userId,
      actorName: scope.userName,
      at,
    })),
  );
}

/** In the transaction that shows a file or a note to fewer: what is told of it goes with it, as it was never shown to more. */
export async function narrowLines(ownerId: string, subjectId: string, visibility: Visibility): Promise<void> {
  assertInTransaction();
  await HistoryModel.updateMany({ ownerId, subjectId }, { $set: { visibility: lineVisibility(visibility) } });
}
