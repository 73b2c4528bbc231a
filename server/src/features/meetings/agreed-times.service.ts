// Whether whoever missed their first meeting had agreed to its time: somebody says so, or it was confirmed before it began.
import type { z } from "zod";
import { AGREED_WAY_NAMES, asksIfAgreed, type noteAgreedTimeSchema } from "@app/shared/agreed-times";
import type { Meeting } from "@app/shared/meetings";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { inTransaction } from "../../core/database.ts";
import { notFound, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { recordEvent } from "../history/history.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { agreedTimesOf } from "./agreed-times.ts";
import { oneMeeting } from "./meeting-mapping.ts";
import { getMeeting, requireMeeting, save } from "./meetings.service.ts";

type Follower = (scope: Scope, caseId: string) => Promise<void>;
const followers: Follower[] = [];

/** What follows where the answer is another, in its transaction; called once, beside the code that does it. */
export const defineAgreedTimeFollower = (follow: Follower): void => void followers.push(follow);

export const noteAgreedTime = (
  scope: Scope,
  { id, partyId, how }: z.output<typeof noteAgreedTimeSchema>,
): Promise<Meeting> =>
  inTransaction(async () => {
    const doc = await requireMeeting(scope, id);
    const { people } = await getMeeting(scope, id);
    const person = people.find((one) => one.partyId === partyId);
    if (!person || !doc.caseId) throw notFound("Party");
    if (!asksIfAgreed(doc, partyId))
      throw wrongState(
        "This is asked of whoever did not come to their MIAM, and did not answer its invitation with yes.",
      );
    const others = agreedTimesOf(doc).filter((one) => one.partyId !== partyId);
    const saved = await save(scope, doc, { agreedTimes: [...others, { partyId, how }] });
    const { longDay } = await practiceDates(scope.ownerId);
    const asked = `Had ${person.label} agreed to the time of ${longDay(doc.startsAt)}?`;
    await recordEvent(scope, {
      kind: "meeting",
      caseId: doc.caseId,
      clientIds: [person.clientId],
      text: `${asked} ${AGREED_WAY_NAMES[how]}`,
      visibility: PRACTICE_ONLY,
    });
    for (const follow of followers) await follow(scope, doc.caseId);
    return oneMeeting(scope, saved);
  });
