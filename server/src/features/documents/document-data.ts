// What a document may say: to one participant what that one may read, to all what all may read.
import type { Case, Party } from "@app/shared/cases";
import type { DocumentData } from "@app/shared/document-merge";
import type { DocumentKind } from "@app/shared/document-kind-list";
import type { DocumentValues, EachValues } from "@app/shared/document-fields";
import { DOCUMENT_RULES } from "@app/shared/document-kinds";
import type { Addressee } from "@app/shared/documents";
import type { Privilege } from "@app/shared/privileges";
import { inWords } from "@app/shared/in-words";
import { mayBeNamedTo, othersOf, untoldIn } from "@app/shared/told-parties";
import { toldReference } from "@app/shared/told-reference";
import type { Client } from "@app/shared/clients";
import { now } from "../../core/clock.ts";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { requireParty } from "../cases/cases.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { valuesForParty } from "../compose/party-values.service.ts";
import { caseNumberPrefix, practiceDates, practiceNameOf, practiceToday } from "../practices/practices.service.ts";
import { financeData, proposalData } from "./finance-data.ts";
import { type MediatedSession, mediatedSessions } from "../sessions/mediated-sessions.service.ts";
import { ownFacts, sessionFacts } from "./recorded-facts.ts";
import { readersTogether } from "./together.ts";
import { colleagues } from "../users/users.service.ts";
import { type ForParty, mapFor, openFor } from "../visibility/for-party.service.ts";

/** For whom a document is, and how it is marked: what is proposed stands only in what is without prejudice. */
export interface Purpose {
  addressee: Addressee;
  privilege: Privilege;
  /** Of a statement of finances only those who disclose are the readers. */
  kind?: DocumentKind;
}

const isStatement = (kind: DocumentKind | undefined): boolean => kind !== undefined && DOCUMENT_RULES[kind].isFinancial;

/** Throws where not everybody for whom it is has been told of the others. */
export async function dataFor(
  scope: Scope,
  theCase: Case,
  { addressee, privilege, kind: kindOfText }: Purpose,
): Promise<DocumentData> {
  const { kind, partyId } = addressee;
  if (kind === "party") {
    const party = requireParty(theCase, partyId ?? "");
    return openFor(await dataForParty(scope, theCase, party, kindOfText), {
      caseId: theCase.id,
      partyId: party.partyId,
    });
  }
  if (kind === "joint") assertAllTold(theCase);
  const readers = await readersTogether(scope, theCase, kindOfText);
  const { values, repeats } = await dataForAll(scope, theCase, readers);
  // Not in a letter to one of them, who may have left before the others exchanged more.
  const finances = await financeData(scope, theCase, readers);
  const proposals = privilege === "without_prejudice" ? await proposalData(scope, theCase) : {};
  // Of a statement also whoever left since it was exchanged.
  const names = isStatement(kindOfText) ? given("parties.names", finances.values["finances.names"] ?? "") : {};
  return {
    values: { ...values, ...finances.values, ...names },
    repeats: { ...repeats, ...finances.repeats, ...proposals },
  };
}

export function assertAllTold(theCase: Case): void {
  const untold = untoldIn(theCase);
  if (untold)
    throw badField(
      "addressee",
      `${untold.name} (${untold.label}) has not been told yet who else takes part, so nothing that names all of them is written. Record that the others agree to be named, or wait until ${untold.name} has signed the agreement to mediate.`,
    );
}

async function dataForParty(
  scope: Scope,
  theCase: Case,
  party: Party,
  kind: DocumentKind | undefined,
): Promise<ForParty<DocumentData>> {
  const client = await getClient(scope, party.clientId);
  const others = othersOf(theCase, party);
  const areTold = others.length > 0 && others.every((other) => mayBeNamedTo(theCase, party, other));
  const named = areTold ? others : [];
  const first = await Promise.all(named.map(async ({ clientId }) => callNameOf(await getClient(scope, clientId))));
  const shared = areTold ? await dataForAll(scope, theCase, presentIn(theCase)) : null;
  const facts = await ownFacts(scope, theCase, { own: party, kind });
  return mapFor(await valuesForParty(scope, theCase, party), (own) => ({
    values: {
      ...shared?.values,
      ...own,
      ...facts,
      ...given("client.address", addressOf(client)),
      ...given("otherParty.fullName", inWords(named.map(({ name }) => name))),
      ...given("otherParty.firstName", inWords(first)),
    },
    repeats: shared?.repeats ?? {},
  }));
}

/** What everybody in the case may read, once each knows of the others; and what the practice keeps for itself. */
async function dataForAll(scope: Scope, theCase: Case, parties: readonly Party[]): Promise<DocumentData> {
  const { ownerId } = scope;
  const [dates, today, prefix, people] = await Promise.all([
    practiceDates(ownerId),
    practiceToday(ownerId),
    caseNumberPrefix(ownerId),
    colleagues(ownerId),
  ]);
  const clients = await Promise.all(parties.map(({ clientId }) => getClient(scope, clientId)));
  const references = new Set(parties.map((party) => toldReference(theCase, party, prefix)));
  const sessions = await mediatedSessions(scope, theCase);
  const held = sessions.map(({ heldOn }) => heldOn).filter(Boolean);
  const lead = theCase.mediators.find(({ isLead }) => isLead) ?? theCase.mediators[0];
  const values: DocumentValues = {
    "practice.name": await practiceNameOf(ownerId),
    "mediator.name": people.find(({ userId }) => userId === lead?.userId)?.name ?? scope.userName,
    "sender.name": scope.userName,
    today: dates.longDay(now()),
    "parties.names": inWords(parties.map(({ name }) => name)),
    ...given("children.names", inWords(theCase.children.map(({ firstName }) => firstName))),
    ...given("case.reference", references.size === 1 ? theCase.caseRef : ""),
    ...sessionFacts(theCase, parties, { sessions, dates }),
    ...given("case.sessionsHeld", countOf(sessions, parties)),
    ...given("case.firstSession", held.length > 0 ? dates.calendarDay(held.at(-1) ?? "") : ""),
    ...given("case.lastSession", held.length > 0 ? dates.calendarDay(held[0] ?? "") : ""),
  };
  return {
    values,
    repeats: {
      parties: clients.map((client): EachValues => ({
        "each.fullName": client.displayName,
        "each.firstName": callNameOf(client),
      })),
      children: theCase.children.map(({ firstName, dateOfBirth }): EachValues => ({
        "each.firstName": firstName,
        ...ageAt(dateOfBirth, today),
      })),
    },
  };
}

const presentIn = ({ parties }: Case): Party[] => parties.filter(({ leftAt }) => leftAt === null);

const given = <Field extends keyof DocumentValues>(field: Field, value: string): DocumentValues =>
  value === "" ? {} : { [field]: value };

/** With who came to fewer of them than there were. */
function countOf(sessions: readonly MediatedSession[], parties: readonly Pick<Party, "partyId" | "name">[]): string {
  const count = sessions.length;
  const fewer = parties.flatMap(({ partyId, name }) => {
    const came = sessions.filter(({ parties: there }) => there.some((one) => one.partyId === partyId)).length;
    return came < count ? [`${name} in ${came === 0 ? "none" : came} of them`] : [];
  });
  if (count === 0) return "";
  return [count === 1 ? "1 session" : `${count} sessions`, ...fewer].join(", ");
}

const callNameOf = ({ knownAs, firstName, organisation }: Client): string => knownAs || firstName || organisation;

/** Where post may go: not an address that is kept from others, whoever reads the letter, nor one that is not safe. */
export function addressOf({ address, isAddressConfidential, safeContact }: Client): string {
  if (isAddressConfidential || !safeContact.mayPost) return "";
  return [...address.lines, address.postcode, address.country].filter(Boolean).join("\n");
}

function ageAt(dateOfBirth: string, day: string): EachValues {
  if (dateOfBirth === "") return {};
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return { "each.age": String(day.slice(4) >= dateOfBirth.slice(4) ? years : years - 1) };
}
