// A case as somebody is shown it: that a party is not safe to mediate is a state that the team works by, and when and
// from where they came to it is read as a screening is. What answers with a case takes only what was made here, so that
// the true times of a party, by which the guards go, never leave by another way.
import { can } from "@app/shared/access";
import { type Case, caseSchema, type Party } from "@app/shared/cases";
import { z } from "zod";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "./cases.service.ts";

// Not exported: nobody else can make a value of this type, nor change what it holds.
const SHOWN: unique symbol = Symbol("as somebody is shown it");

export interface ShownCase {
  readonly [SHOWN]: Case;
}

export function shownCase(scope: Scope, theCase: Case): ShownCase {
  if (can(scope, "screening.read")) return { [SHOWN]: theCase };
  const parties = theCase.parties.map((party) => withoutFinding(party, theCase.createdAt));
  return { [SHOWN]: { ...theCase, parties } };
}

const isShown = (value: unknown): value is ShownCase =>
  typeof value === "object" && value !== null && Object.hasOwn(value, SHOWN);

/** What a procedure answers that shows a case. */
export const shownCaseSchema = z.custom<ShownCase>(isShown).transform((value) => caseSchema.parse(value[SHOWN]));

/** The guards go by when somebody left, so only what is shown leaves it out. */
function withoutFinding(party: Party, createdAt: string): Party {
  const isOut = party.status === "not_suitable";
  const isOfSafety = isOut || party.lastStep?.from === "not_suitable";
  const found = isOut || party.assessedAs === "not_suitable" ? { assessedOn: "", assessedAs: null } : {};
  const away = { absences: [], daysAway: [], daysOut: [] };
  if (!isOfSafety) return { ...party, ...found, ...away };
  const since = party.joinedAt ?? createdAt;
  return {
    ...party,
    ...found,
    lastStep: null,
    statusSince: since,
    leftAt: isOut ? since : party.leftAt,
    ...away,
  };
}

/** Work that gives a case, as whoever asked for it is shown that. */
export const shown =
  <Input>(work: (scope: Scope, input: Input) => Promise<Case>) =>
  async (scope: Scope, input: Input): Promise<ShownCase> =>
    shownCase(scope, await work(scope, input));

export const getShownCase = shown(getCase);
