// A letter of invitation asks what every other invitation asks, whichever way it leaves; one that nobody answered says what
// is recorded of that.
import { firstMeetingName, isTakingPart } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import type { DocumentContent } from "@app/shared/document-content";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { type PartyDoc, partyIn } from "../cases/case-parties.service.ts";
import { findCaseDoc, requireParty } from "../cases/cases.service.ts";
import { whyAnswered, whyUnwritten } from "../ladders/invitation-gates.service.ts";
import { practiceDates, practiceRegion } from "../practices/practices.service.ts";
import type { DocumentDoc } from "./documents.model.ts";
import { assertUnanswered, saysSilence } from "./unanswered-letters.ts";

type Letter = Pick<DocumentDoc, "kind" | "addressee"> & { content: DocumentContent };

/** Throws where a letter of this kind would not be true, or must not be sent; that somebody is asked again is asked for. */
export async function assertLetterBegins(
  scope: Scope,
  theCase: Case,
  { isAskedAgain, ...letter }: Letter & { isAskedAgain: boolean },
): Promise<void> {
  await assertUnansweredIn(scope, theCase, letter);
  if (letter.kind !== "invitation") return;
  const { answered, party } = await invited(scope, theCase, letter);
  if (answered !== undefined && !isAskedAgain)
    throw badField(
      "isAskedAgain",
      `${await cameWords(scope, theCase, party, answered)} Say that they are invited again all the same, or choose for whom this is.`,
    );
}

/** The same as it leaves, or is begun anew from itself: what came about since it was begun was not asked. */
export async function assertLetterHolds(
  scope: Scope,
  theCase: Case,
  letter: Letter & Pick<DocumentDoc, "createdAt">,
): Promise<void> {
  await assertUnansweredIn(scope, theCase, letter);
  if (letter.kind !== "invitation") return;
  const { answered, party } = await invited(scope, theCase, letter);
  const since = party.steps.filter(({ at }) => at > letter.createdAt);
  const again = "If they are invited again all the same, begin it anew from the template.";
  if (since.some(({ to }) => to === "miam_attended")) {
    const what = await meetingName(scope, theCase);
    throw wrongState(`${party.label} came to their ${what} since this invitation was begun. ${again}`);
  }
  if (answered !== undefined && since.length > 0)
    throw wrongState(`Since this invitation was begun, this came about: ${answered} ${again}`);
}

async function assertUnansweredIn(scope: Scope, theCase: Case, { kind, addressee, content }: Letter): Promise<void> {
  if (kind !== "no_response") return;
  const own = requireParty(theCase, addressee.partyId ?? "");
  await assertUnanswered(scope, theCase, { own, isSaid: saysSilence(content) });
}

interface Invited {
  party: PartyDoc;
  /** In words, where they have; they may be invited again all the same. */
  answered: string | undefined;
}

/** Throws where this party must not be invited at all, whoever says that they are asked again. */
async function invited(scope: Scope, theCase: Case, { addressee }: Letter): Promise<Invited> {
  const stored = await findCaseDoc(scope, theCase.id);
  const party = partyIn(stored, addressee.partyId ?? "");
  const [kept] = await whyUnwritten(scope, stored, party);
  if (kept !== undefined) throw wrongState(kept);
  const [answered] = await whyAnswered(scope, stored, party);
  if (answered !== undefined && !isTakingPart(party)) throw wrongState(answered);
  return { party, answered };
}

async function cameWords(scope: Scope, theCase: Case, party: PartyDoc, answered: string): Promise<string> {
  const { label, miamOn } = party;
  if (miamOn === "") return answered;
  const { calendarDay } = await practiceDates(scope.ownerId);
  return `${label} came to their ${await meetingName(scope, theCase)} on ${calendarDay(miamOn)}.`;
}

const meetingName = async ({ ownerId }: Scope, { domain }: Case): Promise<string> =>
  firstMeetingName({ domain, region: await practiceRegion(ownerId) });
