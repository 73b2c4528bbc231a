// What a text says of facts that are recorded of its case, as they are recorded when it is written, and still when it is
// finished.
import { hasMiams } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import type { DocumentContent } from "@app/shared/document-content";
import { SAID_MAX_LENGTH } from "@app/shared/document-content";
import { type DocumentField, type DocumentValues, fieldName, isDocumentField } from "@app/shared/document-fields";
import type { DocumentKind } from "@app/shared/document-kind-list";
import { fieldsIn } from "@app/shared/document-walk";
import { inWords } from "@app/shared/in-words";
import type { Dates } from "../../core/dates.ts";
import type { Scope } from "../../core/trpc.ts";
import { assessmentsOfCase } from "../assessments/assessments.service.ts";
import { practiceDates, practiceRegion } from "../practices/practices.service.ts";
import type { MediatedSession } from "../sessions/mediated-sessions.service.ts";
import { silenceWords } from "./unanswered-letters.ts";

/** Those that a text says as they are recorded, or not at all. */
const FACTS: readonly DocumentField[] = [
  "case.tookPart",
  "case.lastSessionNames",
  "case.adviceTold",
  "case.certificateNext",
  "invitation.request",
  "invitation.meeting",
  "invitation.metOn",
  "silence.words",
];

/** Each of them that is recorded otherwise by now, by name, with what the text says. */
export function outdatedFacts(content: DocumentContent, values: DocumentValues): string[] {
  const said = fieldsIn(content).filter(({ attrs }) => attrs.said !== null && isFact(attrs.path));
  const gone = said.filter(({ attrs: { path, said: words } }) => {
    const now = (isDocumentField(path) && values[path]) || "";
    // What is long stands in several fields, one after the other.
    return now !== words && !(now.length > SAID_MAX_LENGTH && now.includes(words ?? ""));
  });
  return [...new Set(gone.map(({ attrs }) => `${fieldName(attrs.path)}: “${attrs.said}”`))];
}

const isFact = (path: string): boolean => FACTS.some((fact) => fact === path);

const COURT =
  "Before somebody applies to the court about children or money, the court usually expects them to have attended a mediation information and assessment meeting, called a MIAM, unless an exemption applies. The court may also ask what each of you has done to settle things without it.";
const CERTIFICATE =
  "If you think of applying to a court, ask us for a certificate that you attended a MIAM. It says that you attended and on which day, and can be used for four months from that day. Whether you still have to do something else before you apply is for you and your lawyer to look into.";

/** What is told to this party of their own first meeting, and in a letter about the silence of the others, of that. */
export async function ownFacts(
  scope: Scope,
  theCase: Case,
  { own, kind }: { own: Party; kind: DocumentKind | undefined },
): Promise<DocumentValues> {
  const isMiam = hasMiams({ domain: theCase.domain, region: await practiceRegion(scope.ownerId) });
  const dates = await practiceDates(scope.ownerId);
  return {
    "invitation.meeting": meetingWords(theCase, isMiam),
    ...(own.miamOn ? { "invitation.metOn": dates.calendarDay(own.miamOn) } : {}),
    ...(isMiam && own.miamOn === "" ? { "invitation.court": COURT } : {}),
    ...(isMiam && (await hasAttendedHere(scope, theCase, own)) ? { "case.certificateNext": CERTIFICATE } : {}),
    ...(kind === "no_response" ? { "silence.words": await silenceWords(scope, theCase, own) } : {}),
  };
}

function meetingWords({ domain }: Case, isMiam: boolean): string {
  if (isMiam) return "a mediation information and assessment meeting (MIAM)";
  if (domain === "family") return "a first meeting";
  return domain === "workplace" ? "an individual meeting" : "a first conversation";
}

/** What another service held is certified by whoever held it, and one without a risk assessment was none yet. */
export async function hasAttendedHere(scope: Scope, { id }: Case, { partyId }: Party): Promise<boolean> {
  const records = await assessmentsOfCase(scope, id);
  return records.some(
    ({ status, origin, lacksRiskAssessment, ...record }) =>
      record.partyId === partyId && status === "held" && origin !== "elsewhere" && !lacksRiskAssessment,
  );
}

/** What is told to all of the sessions of this round, of each of these parties. */
export function sessionFacts(
  { outcome }: Case,
  parties: readonly Party[],
  { sessions, dates }: { sessions: readonly MediatedSession[]; dates: Dates },
): DocumentValues {
  const [last] = sessions;
  const atLast = last ? parties.filter((party) => isAmong(last.parties, party)) : [];
  return {
    ...(sessions.length > 0 ? { "case.tookPart": tookPartWords(parties, sessions, dates) } : {}),
    ...(atLast.length > 0 ? { "case.lastSessionNames": inWords(atLast.map(({ name }) => name)) } : {}),
    ...(outcome?.isAdviceTold ? { "case.adviceTold": "Each of them was told to take independent legal advice." } : {}),
  };
}

const isAmong = (parties: readonly Party[], { partyId }: Party): boolean =>
  parties.some((one) => one.partyId === partyId);

/** Those who came to the same sessions are named together. */
function tookPartWords(parties: readonly Party[], sessions: readonly MediatedSession[], dates: Dates): string {
  const came = Map.groupBy(parties, (party) =>
    sessions.flatMap(({ number, parties: there }) => (isAmong(there, party) ? [number] : [])).join(),
  );
  const sentences = [...came.values()].map((group) => {
    const own = sessions.filter(({ parties: there }) => group.every((party) => isAmong(there, party)));
    return `${inWords(group.map(({ name }) => name))} came to ${countWords(own, dates)}.`;
  });
  return [...sentences, apartWords(sessions)].filter(Boolean).join(" ");
}

function countWords(sessions: readonly MediatedSession[], dates: Dates): string {
  const days = sessions.flatMap(({ heldOn }) => heldOn || []).toSorted();
  const [first = "", last = ""] = [days[0], days.at(-1)];
  if (sessions.length === 0) return "no session of mediation";
  const when =
    first === last
      ? first && `, on ${dates.calendarDay(first)}`
      : `, from ${dates.calendarDay(first)} to ${dates.calendarDay(last)}`;
  return `${sessions.length === 1 ? "one session" : `${sessions.length} sessions`} of mediation${when}`;
}

function apartWords(sessions: readonly MediatedSession[]): string {
  if (sessions.every(({ isApart }) => isApart)) return "They met the mediator at separate times.";
  return sessions.some(({ isApart }) => isApart) ? "For some of these they met the mediator at separate times." : "";
}
