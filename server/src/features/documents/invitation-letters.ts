// What letters of invitation say happened did: a letter that nobody answered is shown to courts, as a certificate is.
import { firstMeetingName, partyStatusName, sideOf } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { partyIn } from "../cases/case-parties.service.ts";
import { findCaseDoc, requireParty } from "../cases/cases.service.ts";
import { reopeningsOf } from "../cases/reopened.service.ts";
import { signsOf } from "../casework/heard-since.service.ts";
import { type Silence, silentParties } from "../casework/invitations.service.ts";
import { practiceDates, practiceRegion, practiceToday } from "../practices/practices.service.ts";
import type { DocumentDoc } from "./documents.model.ts";

type Letter = Pick<DocumentDoc, "kind" | "addressee">;

/** Throws where a letter of this kind would not be true; an invitation of whoever attended already is asked for. */
export async function assertLetterBegins(
  scope: Scope,
  theCase: Case,
  { isAskedAgain, ...letter }: Letter & { isAskedAgain: boolean },
): Promise<void> {
  if (letter.kind === "no_response") await assertUnanswered(scope, theCase, letter);
  if (letter.kind !== "invitation" || isAskedAgain) return;
  const { label, miamOn } = requireParty(theCase, letter.addressee.partyId ?? "");
  if (miamOn === "") return;
  const { calendarDay } = await practiceDates(scope.ownerId);
  const what = firstMeetingName({ domain: theCase.domain, region: await practiceRegion(scope.ownerId) });
  throw badField(
    "isAskedAgain",
    `${label} came to their ${what} on ${calendarDay(miamOn)}. Say that they are invited again all the same, or choose for whom this is.`,
  );
}

/** The same as it leaves, or is begun anew from itself: what came about since it was begun was not asked. */
export async function assertLetterHolds(
  scope: Scope,
  theCase: Case,
  letter: Letter & Pick<DocumentDoc, "createdAt">,
): Promise<void> {
  if (letter.kind === "no_response") await assertUnanswered(scope, theCase, letter);
  if (letter.kind !== "invitation") return;
  const { label, steps } = partyIn(await findCaseDoc(scope, theCase.id), letter.addressee.partyId ?? "");
  if (!steps.some(({ to, at }) => to === "miam_attended" && at > letter.createdAt)) return;
  const what = firstMeetingName({ domain: theCase.domain, region: await practiceRegion(scope.ownerId) });
  throw wrongState(
    `${label} came to their ${what} since this invitation was begun. If they are invited again all the same, begin it anew from the template.`,
  );
}

async function assertUnanswered(scope: Scope, theCase: Case, { addressee }: Letter): Promise<void> {
  const own = requireParty(theCase, addressee.partyId ?? "");
  const others = theCase.parties.filter(({ status, ...party }) => sideOf(party) !== sideOf(own) && status !== "died");
  if (others.length === 0) throw wrongState(`${SAYS} There is no other participant in this case.`);
  const round = { on: await practiceToday(scope.ownerId), at: now() };
  const { since } = await reopeningsOf(scope, await findCaseDoc(scope, theCase.id));
  const [silences, signs] = await Promise.all([
    silentParties(scope, theCase.id, since(round)),
    signsOf(scope, theCase.id, others),
  ]);
  const region = await practiceRegion(scope.ownerId);
  for (const other of others) {
    if (other.status !== "no_response")
      throw wrongState(
        `${SAYS} ${other.label} is recorded as “${partyStatusName({ ...theCase, region }, other.status)}”. If they have not answered, record that first; if they have, write a letter of another kind.`,
      );
    if (!wasWrittenTo(silences.get(other.partyId)))
      throw wrongState(
        `${SAYS} No invitation that reached ${other.label}, and whose last day to answer is over, is recorded since they last answered. Record it first, or write a letter of another kind.`,
      );
    const { heard = "", awaited = "", planned = "" } = signs.get(other.partyId) ?? {};
    const against = awaited || (heard && `${heard} Record first what they said.`) || (planned && `${planned} ${WAIT}`);
    if (against) throw wrongState(`${SAYS} ${against}`);
  }
}

const SAYS = "This letter says that the other participant was invited, and that nothing was heard of them.";
const WAIT = "Wait until it was held, or cancel it if it is off.";

/** Whoever only missed a meeting was told of that, and had no day by which to answer. */
const wasWrittenTo = (silence: Silence | undefined): boolean => silence !== undefined && silence.attempts.length > 0;
