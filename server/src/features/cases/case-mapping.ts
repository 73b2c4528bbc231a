import { can } from "@app/shared/access";
import { ASSESSED_STATUSES, type AssessedStatus } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import type { CaseRow } from "@app/shared/case-rows";
import { daysAwayIn, daysOutIn } from "@app/shared/death";
import { MEDIATOR_ONLY } from "@app/shared/visibility";
import type { Scope } from "../../core/trpc.ts";
import { clientNames } from "../clients/clients.service.ts";
import { colleagueNames } from "../users/users.service.ts";
import { mayRead, staffReader } from "../visibility/visibility.service.ts";
import { lastStepOf } from "./case-steps.service.ts";
import type { CaseDoc, PartyDoc, Step } from "./cases.model.ts";

const MISSING_NAME = "Deleted client";

type Names = ReadonlyMap<string, string>;

interface Told {
  names: Names;
  /** Why somebody is not safe to mediate is read as a screening is. */
  isSafetyTold: boolean;
}

/** What a mediator sums up of a mediation is read as their own notes are. */
const summedUpFor = (scope: Scope, { mediators }: Pick<CaseDoc, "mediators">, outcome: CaseDoc["outcome"]) =>
  outcome && {
    ...outcome,
    narrative: mayRead(staffReader(scope, { mediators }), MEDIATOR_ONLY) ? outcome.narrative : "",
  };

const shownStep = <Status>(step: Step<Status> | null) =>
  step && {
    from: step.from,
    to: step.to,
    at: step.at.toISOString(),
    on: step.on ?? "",
    isOwnDecision: step.isOwnDecision ?? null,
  };

function toParty({ steps, consentRecordedAt: _recordedAt, ...doc }: PartyDoc, { names, isSafetyTold }: Told): Party {
  const step = lastStepOf({ steps, status: doc.status });
  // Whoever leaves that state again does so for what was thought of it.
  const isOfSafety = doc.status === "not_suitable" || step?.from === "not_suitable";
  return {
    ...doc,
    reason: isOfSafety && !isSafetyTold ? "" : doc.reason,
    lastStep: shownStep(step),
    assessedAs: assessedAs({ steps, ...doc }),
    name: names.get(doc.clientId) ?? MISSING_NAME,
    statusSince: doc.statusSince.toISOString(),
    joinedAt: doc.joinedAt?.toISOString() ?? null,
    leftAt: doc.leftAt?.toISOString() ?? null,
    absences: doc.absences.map(({ from, to }) => ({ from: from.toISOString(), to: to.toISOString() })),
    daysAway: daysAwayIn({ steps, ...doc }),
    daysOut: daysOutIn({ steps }),
  };
}

/** Where they stood last of what a screening says: that is no step of its own for whoever is moved by it. */
function assessedAs({
  steps,
  status,
  assessedOn,
}: Pick<PartyDoc, "steps" | "status" | "assessedOn">): AssessedStatus | null {
  if (assessedOn === "") return null;
  const stood = [...steps.flatMap(({ from, to }) => [from, to]), status];
  return (
    stood
      .toReversed()
      .flatMap((each) => ASSESSED_STATUSES.find((assessed) => assessed === each) ?? [])
      .at(0) ?? null
  );
}

function toCase(doc: CaseDoc, told: Told, people: Names): Case {
  const { statusSince, waitingSince, createdAt, parties, steps, rounds, agreements, disclosures, ...rest } = doc;
  const step = lastStepOf({ steps, status: doc.status });
  const isOfSafety = doc.ending === "not_safe" || step?.endBefore?.ending === "not_safe";
  return {
    ...rest,
    reason: isOfSafety && !told.isSafetyTold ? "" : doc.reason,
    lastStep: shownStep(step),
    rounds: rounds.map(({ endedAt, ...round }) => ({
      ...round,
      reason: round.ending === "not_safe" && !told.isSafetyTold ? "" : round.reason,
      endedAt: endedAt.toISOString(),
    })),
    id: doc._id,
    parties: parties.map((party) => toParty(party, told)),
    agreements: agreements.map(({ at, ...agreement }) => ({ ...agreement, at: at.toISOString() })),
    disclosures: disclosures.map(({ at, endedAt, ...disclosure }) => ({
      ...disclosure,
      at: at.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
    })),
    mediatorNames: doc.mediators.map(({ userId }) => people.get(userId) ?? "Former colleague"),
    statusSince: statusSince.toISOString(),
    waitingSince: waitingSince.toISOString(),
    createdAt: createdAt.toISOString(),
  };
}

/** Stored cases with the names of their parties and mediators, which are kept where they belong. */
export async function toCases(scope: Scope, docs: CaseDoc[]): Promise<Case[]> {
  if (docs.length === 0) return [];
  const [names, people] = await Promise.all([
    clientNames(
      scope,
      docs.flatMap(({ clientIds }) => clientIds),
    ),
    colleagueNames(scope.ownerId),
  ]);
  const told = { names, isSafetyTold: can(scope, "screening.read") };
  return docs.map((doc) => {
    const theCase = toCase(doc, told, people);
    const rounds = theCase.rounds.map((round) => ({ ...round, outcome: summedUpFor(scope, doc, round.outcome) }));
    return { ...theCase, rounds, outcome: summedUpFor(scope, doc, doc.outcome) };
  });
}

/** What a list shows of a case. */
export const ROW_FIELDS = {
  caseRef: 1,
  domain: 1,
  status: 1,
  statusSince: 1,
  waitingFor: 1,
  waitingSince: 1,
  mediators: 1,
  "parties.partyId": 1,
  "parties.clientId": 1,
  "parties.label": 1,
  "parties.side": 1,
  "parties.status": 1,
} as const;

export type CaseRowDoc = Pick<
  CaseDoc,
  "_id" | "caseRef" | "domain" | "status" | "statusSince" | "waitingFor" | "waitingSince" | "mediators"
> & {
  parties: Pick<PartyDoc, "partyId" | "clientId" | "label" | "side" | "status">[];
};

export async function toCaseRows(scope: Scope, docs: CaseRowDoc[]): Promise<CaseRow[]> {
  if (docs.length === 0) return [];
  const clientIds = docs.flatMap(({ parties }) => parties.map(({ clientId }) => clientId));
  const names = await clientNames(scope, clientIds);
  return docs.map((doc) => ({
    id: doc._id,
    caseRef: doc.caseRef,
    domain: doc.domain,
    status: doc.status,
    statusSince: doc.statusSince.toISOString(),
    waitingFor: doc.waitingFor,
    waitingSince: doc.waitingSince.toISOString(),
    waitingLabel: doc.parties.find(({ partyId }) => partyId === doc.waitingFor)?.label ?? "",
    parties: doc.parties.map(({ clientId, partyId, label, side, status }) => ({
      clientId,
      partyId,
      label,
      side,
      status,
      name: names.get(clientId) ?? MISSING_NAME,
    })),
  }));
}
