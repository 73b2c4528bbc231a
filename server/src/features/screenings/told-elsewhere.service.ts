// What is found of somebody is told in every other case of the same people: who works there may never see where it was found.
import { takesSessions } from "@app/shared/case-sessions";
import { CASE_STATUS_NAMES } from "@app/shared/case-states";
import { cutText } from "@app/shared/cut-text";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { changeCase, defineCaseFollower, defineCaseSettler, tellOfStep } from "../cases/case-changes.service.ts";
import { type CaseDoc, type PartyDoc, partyIn } from "../cases/case-parties.service.ts";
import { settleSides } from "../cases/case-steps.service.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import { togetherElsewhere } from "../cases/client-cases.service.ts";
import { clientNames } from "../clients/clients.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";
import { countsHere, foundElsewhere, foundElsewhereIn } from "./found-elsewhere.service.ts";
import { tellSafetyFollowers } from "./screening-followers.service.ts";

type Found = Parameters<typeof tellSafetyFollowers>[1];

const NEEDS = "screening.read";
/** Read by everybody who sees the case, so it tells nothing of what was found, nor of where. */
const WAITS = "This has to wait for the safety screening.";

// A case waits as if whoever is not safe by what was found elsewhere had left it.
defineCaseSettler(async (scope, _before, draft) => {
  if (draft.status !== "in_mediation" && draft.status !== "ready") return;
  const found = (await foundElsewhereIn(draft.ownerId, [draft._id])).get(draft._id) ?? [];
  // A concern keeps them apart until they are screened, here as in its own case, and ends nothing.
  const kept = [...found].filter(([, of]) => of.some(({ isConcern }) => !isConcern));
  if (kept.length === 0) return;
  const to = settleSides(draft, { keptIds: new Set(kept.map(([partyId]) => partyId)), reason: WAITS });
  if (to) await tellOfStep(scope, draft, { text: `${WAITS} Case moved to ${CASE_STATUS_NAMES[to]}` });
});

/** In the transaction that keeps a finding, or takes one back: what follows from it in its case, and in each other of the same people. */
export async function tellOfFinding(scope: Scope, found: Found): Promise<void> {
  const { ownerId } = scope;
  const { caseId, partyId } = found;
  const isOpenHere = (await foundElsewhere(scope, caseId, partyId)).length > 0;
  await tellSafetyFollowers(scope, found);
  if (!isOpenHere) await endAsked(ownerId, found);
  await tellOthers(ownerId, found);
}

/** In that transaction: what follows in the other cases alone. */
export async function tellOthers(
  ownerId: string,
  { caseId, partyId, isUnsafe }: Omit<Found, "measures">,
): Promise<void> {
  const parties = (await togetherElsewhere(ownerId, [caseId])).get(caseId) ?? [];
  const places = parties.find((party) => party.partyId === partyId)?.elsewhere ?? [];
  // Whoever acts may see none of these.
  const system = systemScope(ownerId);
  for (const place of places) {
    const isOpen = (await foundElsewhere(system, place.caseId, place.partyId)).length > 0;
    if (isOpen && isUnsafe) await arise(system, place);
    if (!isOpen) await fall(system, place);
  }
}

type Place = Pick<Found, "caseId" | "partyId">;

async function arise(system: Scope, place: Place): Promise<void> {
  const theCase = await findCaseDoc(system, place.caseId);
  const party = partyIn(theCase, place.partyId);
  if (!countsHere(party)) return;
  await tellSafetyFollowers(system, { ...place, measures: [], isUnsafe: true });
  if (!takesSessions(theCase.status)) return;
  await askToScreen(system, theCase, party);
  // It has nothing else to change: that it waits is settled there.
  if (theCase.status === "in_mediation" || theCase.status === "ready")
    await changeCase(system, { id: theCase._id, version: theCase.version }, () => undefined);
}

const aboutOf = (partyId: string): string => `screen ${partyId}`;

const endAsked = (ownerId: string, { caseId, partyId }: Place): Promise<void> =>
  callOff({ ownerId, caseId, abouts: [aboutOf(partyId)] });

async function askToScreen(system: Scope, theCase: CaseDoc, { partyId, clientId, label }: PartyDoc): Promise<void> {
  const name = (await clientNames(system, [clientId])).get(clientId) ?? label;
  const task = { ...(await taskOf(system, theCase)), clientId, about: aboutOf(partyId) };
  await createMissingTasks(system, [
    {
      ...task,
      title: cutText(
        `Safety: look again whether ${name} is safe to mediate, and screen them again`,
        TASK_TITLE_MAX_LENGTH,
      ),
    },
  ]);
}

async function taskOf({ ownerId }: Scope, { _id: caseId, mediators }: CaseDoc) {
  const { userId: assigneeId } = mediators.find(({ isLead }) => isLead) ?? { userId: ownerId };
  return { caseId, assigneeId, dueOn: await practiceToday(ownerId), needs: NEEDS } as const;
}

async function fall(system: Scope, place: Place): Promise<void> {
  await tellSafetyFollowers(system, { ...place, measures: [], isUnsafe: false });
  await endAsked(system.ownerId, place);
  const theCase = await findCaseDoc(system, place.caseId);
  if (theCase.status !== "paused" || theCase.reason !== WAITS) return;
  const stillKept = (await foundElsewhereIn(system.ownerId, [place.caseId])).get(place.caseId);
  if (stillKept && stillKept.size > 0) return;
  const title = "The case waited for the safety screening, and does so no more: look whether it goes on";
  await createMissingTasks(system, [{ ...(await taskOf(system, theCase)), clientId: null, title, about: WAITED }]);
}

const WAITED = "whether the case goes on";

defineCaseFollower(async (_scope, before, { ownerId, _id: caseId, status }) => {
  if (before.status === "paused" && status !== "paused") await callOff({ ownerId, caseId, abouts: [WAITED] });
});
