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
import { jointSessions } from "../sessions/session-facts.service.ts";
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

/** What somebody does in another case with this person: what shows most that they are willing. */
const DEEDS = {
  mediates: (label: string, where: string) => `${label} takes part in mediation with this person in ${where}.`,
  mediated: (label: string, where: string) => `${label} mediated with this person in ${where}.`,
  signed: (label: string, where: string) => `${label} signed the agreement to mediate with this person in ${where}.`,
  attended: (label: string, where: string) => `${label} attended a MIAM in ${where}, in which this person is too.`,
};

interface Deed {
  caseId: string;
  kind: keyof typeof DEEDS;
}

type Places = readonly { caseId: string; partyId: string }[];

/** In which of these cases they mediate or are about to, or mediated or attended on a day that counts beside this one. */
async function deedsIn(ownerId: string, places: Places, { attendedOn: day }: Meeting): Promise<Deed[]> {
  const deeds = await Promise.all(places.map((place) => deedIn(ownerId, place, day)));
  return deeds.flatMap((deed) => deed ?? []);
}

async function deedIn(ownerId: string, { caseId, partyId }: Places[number], day: string): Promise<Deed | null> {
  // Whoever signs may see none of these.
  const system = systemScope(ownerId);
  const { status, parties, rounds } = await findCaseDoc(system, caseId);
  const party = parties.find((one) => one.partyId === partyId);
  if (!party) return null;
  const goesOn = status === "in_mediation" || status === "paused";
  if (goesOn && party.status === "active") return { caseId, kind: "mediates" };
  const sessions = await jointSessions(system, { caseId, parties, rounds });
  const mediatedLately = ({ heldOn, mediating }: (typeof sessions)[number]) =>
    reliedUntil(heldOn) >= day && mediating.some((one) => one.partyId === partyId);
  if (sessions.some(mediatedLately)) return { caseId, kind: "mediated" };
  if (party.status === "agreement_signed") return { caseId, kind: "signed" };
  const hasAttended = (await assessmentsOfCase(system, caseId)).some(
    (one) => one.partyId === partyId && one.status === "held" && reliedUntil(one.attendedOn) >= day,
  );
  return hasAttended ? { caseId, kind: "attended" } : null;
}

async function inWords(scope: Scope, { label }: Pick<Party, "label">, deeds: readonly Deed[]): Promise<string> {
  const seen = await findCaseLabels(
    scope,
    deeds.map(({ caseId }) => caseId),
  );
  const said = deeds.map(({ caseId, kind }) => {
    const theCase = seen.get(caseId);
    return DEEDS[kind](label, theCase ? `case ${theCase.caseRef}` : "a case that you may not see");
  });
  const isSeen = deeds.every(({ caseId }) => seen.has(caseId));
  return `${said.join(" ")} ${isSeen ? SIGN_IF_ANOTHER : ASK_THE_OWNER}`;
}

const SIGN_IF_ANOTHER =
  "The certificate does not name the dispute. Sign this only if the application is about another dispute.";
const ASK_THE_OWNER =
  "The certificate does not name the dispute. Ask the owner whether the application is about another dispute, and sign this only if it is.";
