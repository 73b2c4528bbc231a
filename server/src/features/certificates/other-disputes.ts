// Who of the others goes on with this person in another case: a certificate names no dispute, and whoever reads it takes both
// for the same one.
import type { Assessment } from "@app/shared/assessments";
import { sideOf } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { reliedUntil } from "@app/shared/certificates";
import { systemScope } from "../../core/system-scope.ts";
import type { Scope } from "../../core/trpc.ts";
import { assessmentsOfCase } from "../assessments/assessments.service.ts";
import { findCaseDoc, findCaseLabels, requireParty } from "../cases/cases.service.ts";
import { togetherElsewhere } from "../cases/client-cases.service.ts";

type Meeting = Pick<Assessment, "partyId" | "attendedOn">;

/** Of each of the others, in words for this person, in which case they go on with whoever the certificate is for. */
export async function otherDisputes(scope: Scope, theCase: Case, meeting: Meeting): Promise<Map<string, string>> {
  const { id, parties } = theCase;
  const places = (await togetherElsewhere(scope.ownerId, [id])).get(id) ?? [];
  const placesOf = (partyId: string) => places.find((one) => one.partyId === partyId)?.elsewhere ?? [];
  const own = new Set(placesOf(meeting.partyId).map(({ caseId }) => caseId));
  if (own.size === 0) return new Map();
  const side = sideOf(requireParty(theCase, meeting.partyId));
  const words = new Map<string, string>();
  for (const party of parties.filter((one) => sideOf(one) !== side)) {
    const shared = placesOf(party.partyId).filter(({ caseId }) => own.has(caseId));
    const deeds = await deedsIn(scope.ownerId, shared, meeting);
    if (deeds.length > 0) words.set(party.partyId, await inWords(scope, party, deeds));
  }
  return words;
}

interface Deed {
  caseId: string;
  isMediating: boolean;
}

type Places = readonly { caseId: string; partyId: string }[];

/** In which of these cases they mediate, or attended a meeting of their own on a day that counts beside this one. */
async function deedsIn(ownerId: string, places: Places, { attendedOn: day }: Meeting): Promise<Deed[]> {
  // Whoever signs may see none of these.
  const system = systemScope(ownerId);
  const deeds: Deed[] = [];
  for (const { caseId, partyId } of places) {
    const { status, parties } = await findCaseDoc(system, caseId);
    const goesOn = status === "in_mediation" || status === "paused";
    const isMediating = goesOn && parties.some((party) => party.partyId === partyId && party.status === "active");
    const hasAttended = (await assessmentsOfCase(system, caseId)).some(
      (one) => one.partyId === partyId && one.status === "held" && reliedUntil(one.attendedOn) >= day,
    );
    if (isMediating || hasAttended) deeds.push({ caseId, isMediating });
  }
  return deeds;
}

async function inWords(scope: Scope, { label }: Pick<Party, "label">, deeds: readonly Deed[]): Promise<string> {
  const seen = await findCaseLabels(
    scope,
    deeds.map(({ caseId }) => caseId),
  );
  const said = deeds.map(({ caseId, isMediating }) => {
    const theCase = seen.get(caseId);
    const where = theCase ? `case ${theCase.caseRef}` : "a case that you may not see";
    return isMediating
      ? `${label} takes part in mediation with this person in ${where}.`
      : `${label} attended a MIAM in ${where}, in which this person is too.`;
  });
  const isSeen = deeds.every(({ caseId }) => seen.has(caseId));
  return `${said.join(" ")} ${isSeen ? SIGN_IF_ANOTHER : ASK_THE_OWNER}`;
}

const SIGN_IF_ANOTHER =
  "The certificate does not name the dispute. Sign this only if the application is about another dispute.";
const ASK_THE_OWNER =
  "The certificate does not name the dispute. Ask the owner whether the application is about another dispute, and sign this only if it is.";
