// Whoever goes on in a case came to their MIAM first. Where its record is struck while they are past it, whoever struck it is
// asked to hold another.
import { BEFORE_MIAM } from "@app/shared/assessments";
import { firstMeetingWord, partyStandingName } from "@app/shared/case-states";
import { defineCaseFollower } from "../cases/case-changes.service.ts";
import { practiceRegion, practiceToday } from "../practices/practices.service.ts";
import { callOff } from "../tasks/asked-tasks.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { lacksMeeting } from "./case-gates.ts";

defineCaseFollower(async (scope, before, after) => {
  if (after.domain !== "family") return;
  await endAsked(before, after);
  const hadMet = new Set(before.parties.filter(({ miamOn }) => miamOn !== "").map(({ partyId }) => partyId));
  const left = after.parties.filter((party) => hadMet.has(party.partyId) && isAsked(party));
  if (left.length === 0) return;
  const dueOn = await practiceToday(scope.ownerId);
  const place = { ...after, region: await practiceRegion(scope.ownerId) };
  const meeting = firstMeetingWord(place);
  await createTasks(
    scope,
    left.map((party) => ({
      title: `${party.label} is “${partyStandingName(place, party)}” in case ${after.caseRef}, and no ${meeting} of theirs is recorded any more: hold one and record it, or take back what rests on it`,
      dueOn,
      assigneeId: scope.userId,
      caseId: after._id,
      clientId: party.clientId,
      about: aboutOf(party),
    })),
  );
});

type Meant = Parameters<Parameters<typeof defineCaseFollower>[0]>[2];

const isAsked = (party: Meant["parties"][number]): boolean =>
  lacksMeeting(party) && !BEFORE_MIAM.includes(party.status);
const aboutOf = ({ partyId }: { partyId: string }): string => `missing MIAM of ${partyId}`;

/** Another one is recorded, or nothing rests on it any more. */
async function endAsked(before: Meant, { ownerId, _id: caseId, parties }: Meant): Promise<void> {
  const was = new Set(before.parties.filter(isAsked).map(({ partyId }) => partyId));
  const ended = parties.filter((party) => was.has(party.partyId) && !isAsked(party));
  if (ended.length > 0) await callOff({ ownerId, caseId, abouts: ended.map(aboutOf) });
}
