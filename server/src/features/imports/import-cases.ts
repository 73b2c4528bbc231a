import { CASE_DOMAINS } from "@app/shared/case-transitions";
import { CASE_STATUS_NAMES, CASE_STATUSES, type CaseStatus, type PartyStatus } from "@app/shared/case-states";
import {
  CASE_FORMATS,
  type CreateCase,
  createCaseSchema,
  ISSUE_SCOPES,
  MEDIATORS_MAX,
  REFERRAL_SOURCES,
} from "@app/shared/cases";
import { foldText } from "@app/shared/text";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import { caseTwins, importCases } from "../cases/cases-import.service.ts";
import type { ImportedCase } from "../cases/cases.service.ts";
import { partsOf } from "../../core/cell-values.ts";
import { type Candidate, importerOf, type Resolved, type RowKey } from "./importer.ts";
import { callsIn, clientFinder, colleagueFinder } from "./person-columns.ts";
import { type CellProblem, named, plainly, type RowReader } from "./row-reader.ts";

const PARTY_FIELDS = ["party1", "party2", "party3", "party4"] as const;
const STATUSES = named(CASE_STATUSES, CASE_STATUS_NAMES);
/** Stands for people until they are looked up. */
const NOT_KNOWN_YET = "unknown";

/** Where the parties are of a case in this state, the first and every other one, as far as a list can tell. */
const PARTY_STATUSES_OF: Record<CaseStatus, readonly [PartyStatus, PartyStatus]> = {
  enquiry: ["to_invite", "to_invite"],
  intake: ["responded", "to_invite"],
  awaiting_second_party: ["suitable", "invited"],
  assessing: ["suitable", "responded"],
  ready: ["agreement_signed", "agreement_signed"],
  in_mediation: ["active", "active"],
  paused: ["active", "active"],
  concluded: ["done", "done"],
  closed: ["done", "done"],
  not_proceeding: ["responded", "no_response"],
  terminated: ["done", "done"],
};

interface Draft {
  theCase: CreateCase;
  status: CaseStatus;
  parties: { field: string; call: string }[];
  mediators: string[];
}

export const caseImporter = importerOf<Draft, ImportedCase>({
  read: readCase,
  keysOf: caseKeys,
  resolve: compareCases,
  store: importCases,
});

function readCase(reader: RowReader): Draft | null {
  const parties = PARTY_FIELDS.flatMap((field) => {
    const calls = [reader.text(field)].filter(Boolean);
    return callsIn(reader, field, { calls, max: 1, what: "client" }).map((call) => ({ field, call }));
  });
  const isNobodyNamed = PARTY_FIELDS.every((field) => !reader.text(field));
  const calls = partsOf(reader.text("mediators"));
  const mediators = callsIn(reader, "mediators", { calls, max: MEDIATORS_MAX, what: "mediators" });
  const status = reader.choice("status", STATUSES, "enquiry");
  if (isNobodyNamed) reader.report("party1", "Write the email address or the name of at least one party.");
  const isRepeated = new Set(parties.map(({ call }) => foldText(call))).size < parties.length;
  if (isRepeated) reader.report("party2", "Two parties of a case cannot be the same client.");
  const input: CreateCase = {
    caseRef: reader.text("caseRef"),
    domain: reader.choice("domain", plainly(CASE_DOMAINS), "family"),
    issueScope: reader.choice("issueScope", plainly(ISSUE_SCOPES), "all_issues"),
    matter: reader.text("matter"),
    format: reader.choice("format", plainly(CASE_FORMATS), "in_person"),
    mediators: [],
    staffIds: [],
    children: [],
    referral: { source: reader.choice("source", plainly(REFERRAL_SOURCES), "self"), contactId: "", campaign: "" },
    flags: {
      safeguarding: "not_assessed",
      isUrgent: reader.flag("isUrgent", false),
      mustNotMeet: reader.flag("mustNotMeet", false),
    },
    startedOn: reader.day("startedOn"),
    nextReviewOn: reader.day("nextReviewOn"),
    parties: parties.map((_, index) => ({
      clientId: NOT_KNOWN_YET,
      role: index === 0 ? "initiator" : "respondent",
      side: "",
    })),
  };
  const theCase = reader.parse(createCaseSchema, input, ([field]) => (field === "referral" ? "source" : String(field)));
  return theCase && { theCase, status, parties, mediators };
}

const keyOf = (parties: string[], { domain, matter, startedOn }: Pick<CreateCase, "domain" | "matter" | "startedOn">) =>
  [...parties.toSorted(), domain, foldText(matter), startedOn].join("|");

/** The same reference or, without one, the same people with the same matter. */
function caseKeys({ theCase, parties }: Draft): RowKey[] {
  if (theCase.caseRef) return [{ key: `r:${theCase.caseRef}`, field: "caseRef", what: "the same reference" }];
  const key = keyOf(
    parties.map(({ call }) => foldText(call)),
    theCase,
  );
  return [{ key: `m:${key}`, field: "party1", what: "the same parties, matter and day" }];
}

async function compareCases(scope: Scope, candidates: Candidate<Draft>[]): Promise<Resolved<ImportedCase>[]> {
  const findClient = await clientFinder(
    scope,
    candidates.flatMap(({ draft }) => draft.parties.map(({ call }) => call)),
  );
  const findColleague = await colleagueFinder(scope);
  const inputs = candidates.map(({ draft }) => inputOf(draft, findClient, findColleague));
  const known = inputs.flatMap((found) => ("input" in found ? [found.input] : []));
  const twins = await caseTwins(scope, {
    caseRefs: known.map(({ caseRef }) => caseRef).filter(Boolean),
    clientIds: known.flatMap(({ parties }) => parties.map(({ clientId }) => clientId)),
  });
  const refs = new Set(twins.map(({ caseRef }) => caseRef));
  const refOf = new Map(
    twins.map((twin) => [keyOf(twin.clientIds, twin), { id: twin._id, name: `Case ${twin.caseRef}` }]),
  );
  return inputs.map((found): Resolved<ImportedCase> => {
    if ("problem" in found) return { kind: "bad", problem: found.problem };
    const { input } = found;
    if (refs.has(input.caseRef))
      return {
        kind: "duplicate",
        // No two cases share a reference, so this one cannot be imported at all.
        input: null,
        problem: { field: "caseRef", message: "A case of the practice has the same reference." },
      };
    const twin = refOf.get(
      keyOf(
        input.parties.map(({ clientId }) => clientId),
        input,
      ),
    );
    if (twin === undefined) return { kind: "ready", input };
    return {
      kind: "duplicate",
      input,
      problem: { field: "party1", message: "A case of the practice has the same parties, matter and day.", twin },
    };
  });
}

type Find = Awaited<ReturnType<typeof clientFinder>>;

function inputOf(
  draft: Draft,
  findClient: Find,
  findColleague: Find,
): { input: ImportedCase } | { problem: CellProblem } {
  const clientIds: string[] = [];
  for (const { field, call } of draft.parties) {
    const found = findClient(call);
    if ("problem" in found) return { problem: { field, message: found.problem } };
    if (clientIds.includes(found.id))
      return { problem: { field, message: "Two parties of a case cannot be the same client." } };
    clientIds.push(found.id);
  }
  const mediators: CreateCase["mediators"] = [];
  for (const name of draft.mediators) {
    const found = findColleague(name);
    if ("problem" in found) return { problem: { field: "mediators", message: found.problem } };
    mediators.push({ userId: found.id, isLead: mediators.length === 0 });
  }
  const { theCase } = draft;
  const parties = theCase.parties.map((party, index) => ({ ...party, clientId: clientIds[index] ?? party.clientId }));
  return { input: { ...theCase, parties, mediators, standing: standingOf(draft) } };
}

function standingOf({ status, theCase: { startedOn, parties } }: Draft): NonNullable<ImportedCase["standing"]> {
  const [first, others] = PARTY_STATUSES_OF[status];
  return {
    status,
    since: startedOn ? new Date(`${startedOn}T12:00:00Z`) : now(),
    partyStatuses: parties.map((_, index) => (index === 0 ? first : others)),
  };
}
