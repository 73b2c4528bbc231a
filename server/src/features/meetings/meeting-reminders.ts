import { dayIn } from "@app/shared/days";
import mongoose from "mongoose";
import { DAY_MS, MINUTE_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineDueItems } from "../../core/due-items.ts";
import { defineDueTime } from "../../core/due-times.ts";
import { systemScope } from "../../core/system-scope.ts";
import { findVisibleCases } from "../cases/cases.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { type WhyNotAsked, whyNotAsked } from "./asked-to-come.ts";
import { hasDiedBefore } from "./ended-cases.ts";
import { remindParties } from "./meeting-notices.ts";
import { toDoAbout } from "./meeting-tasks.ts";
import { type MeetingDoc, MeetingModel } from "./meetings.model.ts";
import { tellVisitor } from "./visitor-notices.ts";

const AHEAD_MS = DAY_MS;

const due = () => ({
  remindedAt: null,
  startsAt: mongoose.trusted({ $gt: now(), $lte: new Date(now().getTime() + AHEAD_MS) }),
  status: mongoose.trusted({ $in: ["booked", "confirmed"] as const }),
});

/** Reminds everybody who comes within a day: once, in whichever process, also where it was down when it was due. */
export const remindOfMeetings = defineDueItems<MeetingDoc>({
  name: "remind of meetings",
  everyMs: MINUTE_MS,
  owners: () => MeetingModel.distinct("ownerId", due()).setOptions({ anyOwner: true }),
  next: (ownerId, besides, max) =>
    MeetingModel.find({ ...due(), ownerId, _id: mongoose.trusted({ $nin: besides }) })
      .sort({ startsAt: 1 })
      .limit(max)
      .lean<MeetingDoc[]>(),
  work: remind,
  tell: (meeting) => askToRemind(meeting),
});

// What was reminded of at a time that has not come is due anew at the right one.
defineDueTime({
  of: "reminders of meetings",
  times: ["Meeting.remindedAt"],
  aheadMs: 0,
  bringBack: (latest) =>
    MeetingModel.updateMany(
      { remindedAt: mongoose.trusted({ $gt: latest }) },
      { $set: { remindedAt: null } },
    ).setOptions({
      anyOwner: true,
    }),
});

/** Nobody needs to be reminded of what was booked for today, nor of what they chose themselves and read of just now. */
function isJustTold({ startsAt, createdAt, writtenAt, booking, isInvitedOnceBooked }: MeetingDoc): boolean {
  if (startsAt.getTime() - createdAt.getTime() < AHEAD_MS / 2) return true;
  const toldAt = Math.max(createdAt.getTime(), writtenAt?.getTime() ?? 0);
  return (booking !== undefined || isInvitedOnceBooked === true) && now().getTime() - toldAt < AHEAD_MS / 2;
}

async function remind(meeting: MeetingDoc): Promise<void> {
  // Who invited reminds, so that both come from one mailbox: the product has none, and the owner did not write it.
  const scope = { ...systemScope(meeting.ownerId), userId: meeting.createdBy };
  await inTransaction(async () => {
    // Who takes part is asked in the moment in which they are reminded.
    const [theCase] = meeting.caseId ? await findVisibleCases(scope, [meeting.caseId]) : [];
    const { modifiedCount } = await MeetingModel.updateOne(
      { _id: meeting._id, ownerId: meeting.ownerId, remindedAt: null },
      { $set: { remindedAt: now() } },
    );
    if (modifiedCount === 0 || !meeting.isInvitationSent || isJustTold(meeting)) return;
    await tellVisitor(scope, meeting, "reminder");
    if (!theCase) return;
    const unasked = await whyNotAsked(scope, theCase, meeting);
    // Whoever mediates was asked to look at it when they died.
    const isKnown = unasked === "one-sided" && theCase.parties.some((party) => hasDiedBefore(party, meeting));
    if (unasked === "ended" || isKnown) return;
    if (unasked) await askToRemind(meeting, WHAT_NEXT[unasked]);
    else await remindParties(scope, meeting, theCase);
  });
}

const REMIND = "look into your calendar, and remind them yourself";
const WHAT_NEXT: Record<Exclude<WhyNotAsked, "ended">, string> = {
  screening:
    "it has to wait for the safety screening. Ask a colleague who may read screenings, before you remind anybody",
  unasked: "not everybody may be contacted yet. Look at the case, before you remind anybody",
  conflict: REMIND,
  "one-sided": REMIND,
};

/** Whoever booked it can do what the product cannot. In words that tell nothing of what was found. */
async function askToRemind({ _id, ownerId, startsAt, timeZone, createdBy }: MeetingDoc, next = REMIND): Promise<void> {
  const { longDay } = await practiceDates(ownerId);
  const title = `Nobody was reminded of an appointment on ${longDay(startsAt)}: ${next}`;
  const about = toDoAbout("remind", { _id });
  const task = { title, dueOn: dayIn(timeZone, startsAt), assigneeId: createdBy, caseId: null, clientId: null, about };
  await createTasks(systemScope(ownerId), [task]);
}
