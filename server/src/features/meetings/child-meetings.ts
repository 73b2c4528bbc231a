// A meeting with a child is booked, and then something comes in its way that would have kept it from being booked: whoever
// mediates looks at it.
import { type CaseStatus, sidesTakingPart } from "@app/shared/case-states";
import { missingForChildren } from "@app/shared/child-inclusive";
import { cutText } from "@app/shared/cut-text";
import { dayIn } from "@app/shared/days";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import type { Needs } from "../../core/needs.ts";
import type { Scope } from "../../core/trpc.ts";
import { defineCaseFollower } from "../cases/case-changes.service.ts";
import type { CaseDoc } from "../cases/case-parties.service.ts";
import { clientNames } from "../clients/clients.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { defineSafetyFollower } from "../screenings/screening-followers.service.ts";
import { dropTasks } from "../tasks/follow-up-tasks.service.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";
import { defineRegistrationFollower } from "../users/registration-followers.service.ts";
import { isLastTalk, isOneRegistered, takeTurn, whenOf } from "./child-inclusive.service.ts";
import { casesToCome, meetingsToCome } from "./meetings-to-come.ts";
import { toDoAbout } from "./meeting-tasks.ts";
import type { MeetingDoc } from "./meetings.model.ts";

// However a case changes, also by somebody who comes into it or back, leaves it or dies: where something is missing that was
// not before, each meeting with a child that is still to come is looked at. Where a case ends early, they are cancelled.
defineCaseFollower(async (scope, before, after) => {
  if (![before, after].some(({ children }) => children.some(({ cim }) => cim.isOffered))) return;
  const names = await clientNames(scope, [...before.clientIds, ...after.clientIds]);
  await askWhereMissing(scope, after._id, async (meeting) => {
    const { childIds = [] } = meeting;
    const ids = childIds.length > 0 ? childIds : offeredIn(before);
    const missingIn = async (theCase: CaseDoc) => [
      ...missingForChildren({ ...named(theCase, names), childIds: ids }, await whenOf(scope, meeting, theCase)),
      ...((await isLastTalk(scope, theCase, meeting)) ? [] : missingInCase(theCase)),
    ];
    const [known, missing] = [await missingIn(before), await missingIn(after)];
    const isNew = (what: string) => !known.includes(what);
    return { missing, asked: missing.find(isNew) ?? null, gone: known.filter((what) => !missing.includes(what)) };
  });
});

/** What a screening or a review found of somebody is for those who may read it. */
defineSafetyFollower(async (scope, { caseId, isUnsafe }) => {
  if (!isUnsafe) return;
  const found = alone("somebody has to be screened again first");
  await askWhereMissing(scope, caseId, () => Promise.resolve(found), "screening.read");
});

const UNREGISTERED = "no mediator of it has the child-inclusive registration any more";

/** Whose registration is confirmed no more, or is again: where nobody of a meeting has one, it is not held. */
defineRegistrationFollower(async (scope, userId) => {
  for (const caseId of await casesToCome(scope.ownerId, userId))
    await askWhereMissing(scope, caseId, async ({ mediatorIds }) => {
      if (!mediatorIds.includes(userId)) return NOTHING;
      return (await isOneRegistered(scope, mediatorIds)) ? { ...NOTHING, gone: [UNREGISTERED] } : alone(UNREGISTERED);
    });
});

const OVER: readonly CaseStatus[] = ["concluded", "closed"];

const missingInCase = ({ status, parties }: CaseDoc): string[] => [
  ...(sidesTakingPart(parties) < 2 ? ["fewer than two sides take part in this case"] : []),
  ...(status === "paused" ? ["this case is paused"] : []),
  ...(OVER.includes(status) ? ["mediation in this case is over"] : []),
];

/** Of a meeting that does not say with whom it is nobody knows whom it does not concern. */
const offeredIn = ({ children }: CaseDoc): string[] =>
  children.flatMap(({ childId, cim }) => (cim.isOffered ? [childId] : []));

const named = ({ domain, parties, children }: CaseDoc, names: ReadonlyMap<string, string>) => ({
  domain,
  children,
  parties: parties.map(({ partyId, clientId, label, status }) => ({
    partyId,
    name: names.get(clientId) ?? label,
    status,
  })),
});

interface Found {
  /** All that is missing now, as far as it was looked at. */
  missing: readonly string[];
  /** What somebody is asked to look at; null where nothing came to it. */
  asked: string | null;
  /** What was missing, and is not any more. */
  gone: readonly string[];
}

const NOTHING: Found = { missing: [], asked: null, gone: [] };
const alone = (missing: string): Found => ({ missing: [missing], asked: missing, gone: [] });

async function askWhereMissing(
  scope: Scope,
  caseId: string,
  find: (meeting: MeetingDoc) => Promise<Found>,
  needs?: Needs,
): Promise<void> {
  await takeTurn(scope, caseId);
  const coming = (await meetingsToCome(scope.ownerId, caseId)).filter(({ type }) => type === "cim");
  const { longDay } = await practiceDates(scope.ownerId);
  const found = [];
  for (const meeting of coming) {
    const say = (what: string) =>
      cutText(
        `Do not hold the meeting with a child on ${longDay(meeting.startsAt)} as it stands: ${what}`,
        TASK_TITLE_MAX_LENGTH,
      );
    const { missing, asked, gone } = await find(meeting);
    found.push({ meeting, missing: missing.map(say), asked: asked === null ? null : say(asked), gone: gone.map(say) });
  }
  // Of two meetings on one day the other may still lack it.
  const lacking = new Set(found.flatMap(({ missing }) => missing));
  const tasks = [];
  for (const { meeting, missing, asked, gone } of found) {
    const dropped = await dropTasks(scope, { caseId, titles: gone.filter((title) => !lacking.has(title)) });
    // One task stood for all that came at once.
    const title = asked ?? (dropped > 0 ? missing[0] : undefined);
    if (title !== undefined) tasks.push({ ...taskOf(meeting), title, caseId, ...(needs ? { needs } : {}) });
  }
  await createMissingTasks(scope, tasks);
}

const taskOf = ({ _id, startsAt, timeZone, mediatorIds, createdBy }: MeetingDoc) => ({
  about: toDoAbout("hold", { _id }),
  dueOn: dayIn(timeZone, startsAt),
  assigneeId: mediatorIds[0] ?? createdBy,
  clientId: null,
});
