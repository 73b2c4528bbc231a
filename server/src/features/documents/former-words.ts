// Sentences with which the templates of practices began before these said what is recorded: they stay as they are, and are
// finished only where the record does not say otherwise.
import { hasMiams } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import type { DocumentContent } from "@app/shared/document-content";
import { linesOf } from "@app/shared/document-walk";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { assessmentsOfCase } from "../assessments/assessments.service.ts";
import { requireParty } from "../cases/cases.service.ts";
import { practiceRegion } from "../practices/practices.service.ts";
import { mediatedSessions } from "../sessions/mediated-sessions.service.ts";
import type { DocumentDoc } from "./documents.model.ts";
import { hasAttendedHere } from "./recorded-facts.ts";

type Text = Pick<DocumentDoc, "kind" | "addressee"> & { content: DocumentContent };

/** Throws where it says something of the kind that is not so. */
export async function assertNothingFalse(scope: Scope, theCase: Case, text: Text): Promise<void> {
  const words = linesOf(text.content).join("\n").replace(/\s+/gu, " ");
  const why = await whyFalse(scope, theCase, text, words);
  if (why) throw wrongState(`${why} Write in its place what is right, or take it out.`);
}

async function whyFalse(scope: Scope, theCase: Case, { kind, addressee }: Text, words: string): Promise<string> {
  switch (kind) {
    case "invitation":
    case "no_response": {
      if (!/\bMIAMs?\b/u.test(words)) return "";
      if (!hasMiams({ domain: theCase.domain, region: await practiceRegion(scope.ownerId) }))
        return "This text speaks of a MIAM, and the case is of a kind that has none.";
      const own = requireParty(theCase, addressee.partyId ?? "");
      const isOffered = words.includes("certificate that you attended a MIAM");
      return isOffered && !(await hasAttendedHere(scope, theCase, own))
        ? `This text offers a certificate of a MIAM, and none that ${own.label} attended here is recorded.`
        : "";
    }
    case "agreement_to_mediate":
      return /\bmet each of you alone\b/iu.test(words) ? whyNotMet(scope, theCase) : "";
    case "mou":
      return whyNotMediated(scope, theCase, words);
    case "session_summary":
      return words.includes("what you talked about on") ? whyNotTalked(scope, theCase) : "";
    default:
      return "";
  }
}

async function whyNotMet(scope: Scope, theCase: Case): Promise<string> {
  const records = await assessmentsOfCase(scope, theCase.id);
  const isOfMeetingAlone = ({ status, origin, company }: (typeof records)[number]) =>
    status === "held" && origin !== "elsewhere" && company !== "with" && company !== "together";
  const wasMet = ({ partyId, assessedOn }: Party) =>
    assessedOn !== "" || records.some((record) => record.partyId === partyId && isOfMeetingAlone(record));
  const unmet = presentIn(theCase).find((party) => !wasMet(party));
  return unmet
    ? `This text says that the mediator has met each of them alone, and no meeting with ${unmet.label} alone is recorded.`
    : "";
}

async function whyNotMediated(scope: Scope, theCase: Case, words: string): Promise<string> {
  if (theCase.outcome?.isAdviceTold === false && /\bencouraged to take (independent )?legal advice\b/iu.test(words))
    return "This text says that they were encouraged to take legal advice, and the outcome says that they were not told.";
  if (!/\btook part in mediation \(/u.test(words)) return "";
  const sessions = await mediatedSessions(scope, theCase);
  const came = (party: Party) =>
    sessions.some(({ parties }) => parties.some(({ partyId }) => partyId === party.partyId));
  const missing = sessions.length > 0 ? presentIn(theCase).find((party) => !came(party)) : undefined;
  return missing
    ? `This text says that all of them took part in mediation, and ${missing.label} came to no session.`
    : "";
}

async function whyNotTalked(scope: Scope, theCase: Case): Promise<string> {
  const [last] = await mediatedSessions(scope, theCase);
  const came = (party: Party) => last?.mediating.some(({ partyId }) => partyId === party.partyId);
  const missing = last ? presentIn(theCase).find((party) => !came(party)) : undefined;
  return missing
    ? `This text says that all of them talked at the last session, and ${missing.label} did not come to it.`
    : "";
}

const presentIn = ({ parties }: Case): Party[] => parties.filter(({ leftAt }) => leftAt === null);
