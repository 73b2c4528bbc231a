// A case as somebody is shown it: that a party is not safe to mediate is a state that the team works by, and when and
// from where they came to it is read as a screening is.
import { can } from "@app/shared/access";
import type { Case, Party } from "@app/shared/cases";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "./cases.service.ts";

export function shownCase(scope: Scope, theCase: Case): Case {
  if (can(scope, "screening.read")) return theCase;
  return { ...theCase, parties: theCase.parties.map((party) => withoutFinding(party, theCase.createdAt)) };
}

/** The guards go by when somebody left, so only what is shown leaves it out. */
function withoutFinding(party: Party, createdAt: string): Party {
  const isOut = party.status === "not_suitable";
  const isOfSafety = isOut || party.lastStep?.from === "not_suitable";
  if (!isOfSafety) return { ...party, absences: [] };
  const since = party.joinedAt ?? createdAt;
  return {
    ...party,
    lastStep: null,
    statusSince: since,
    leftAt: isOut ? since : party.leftAt,
    absences: [],
    assessedOn: isOut ? "" : party.assessedOn,
  };
}

/** Work that gives a case, as whoever asked for it is shown that. */
export const shown =
  <Input>(work: (scope: Scope, input: Input) => Promise<Case>) =>
  async (scope: Scope, input: Input): Promise<Case> =>
    shownCase(scope, await work(scope, input));

export const getShownCase = shown(getCase);
