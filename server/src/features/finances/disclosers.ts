// Whose finances are disclosed: everybody who takes part, but for those of whom a mediator recorded that they do not disclose.
import type { z } from "zod";
import type { Case, Party } from "@app/shared/cases";
import type { Finances, setDisclosingSchema } from "@app/shared/finances";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { requireParty } from "../cases/cases.service.ts";
import { FigureModel } from "./finances.model.ts";
import { assertRecords, changeStatement } from "./statement-changes.ts";
import { partyOfStatement, withParty } from "./statements.ts";

/** Such as a grandparent, who mediates about the children alone. */
export const setDisclosing = (scope: Scope, input: z.output<typeof setDisclosingSchema>): Promise<Finances> =>
  changeStatement(scope, input, async ({ theCase, statement }) => {
    const { partyId, isDisclosing } = input;
    assertRecords(scope, theCase);
    const party = requireParty(theCase, partyId);
    assertTakesPart(party);
    if (!isDisclosing) await assertNothingEntered(scope, theCase, party);
    const known = partyOfStatement(statement, partyId);
    const none = { noneIn: [], completeOn: "", isLeftOut: true };
    const does = isDisclosing ? "discloses their finances" : "does not disclose their finances";
    return {
      fields: withParty(statement, isDisclosing ? { ...known, isLeftOut: false } : { ...known, ...none }),
      told: `${party.label} ${does}`,
    };
  });

async function assertNothingEntered({ ownerId }: Scope, { id: caseId }: Case, party: Party): Promise<void> {
  if (await FigureModel.exists({ ownerId, caseId, partyId: party.partyId, deletedAt: null }))
    throw wrongState(`There are figures of ${party.name} (${party.label}). Remove them first.`);
}

const assertTakesPart = ({ name, label, leftAt }: Party): void => {
  if (leftAt !== null) throw wrongState(`${name} (${label}) has left this case. What they disclosed stays as it is.`);
};
