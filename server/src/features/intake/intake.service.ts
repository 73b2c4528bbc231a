import type { Intake, IntakeResult } from "@app/shared/intake";
import { inTransaction } from "../../core/database.ts";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { listCasesOfClient } from "../cases/cases.service.ts";
import { openCase } from "../casework/case-editing.service.ts";
import { createClient, getClient, namesakes } from "../clients/clients.service.ts";
import { decideConflict } from "../conflicts/conflicts.service.ts";

/** Takes somebody in: all of it, or nothing where one part of it is refused. */
export const createIntake = (scope: Scope, intake: Intake): Promise<IntakeResult> =>
  inTransaction(async () => {
    const { client, other, theCase, conflict } = intake;
    await assertNew(scope, intake);
    const { id, displayName } = await createClient(scope, client);
    const otherId = await idOfOther(scope, other);
    if (!theCase) return { id, displayName, caseId: null };
    const respondent = otherId === null ? [] : [{ clientId: otherId, role: "respondent" as const, side: "" }];
    const parties = [{ clientId: id, role: "initiator" as const, side: "" }, ...respondent];
    const { id: caseId } = await openCase(scope, { ...theCase, parties });
    if (conflict) await decideConflict(scope, { caseId, ...conflict });
    return { id, displayName, caseId };
  });

/** BAD_REQUEST where a client has that name already, and nobody said that this is somebody else. */
async function assertNew(scope: Scope, { client, other, isAnother }: Intake): Promise<void> {
  if (isAnother) return;
  const names = await namesakes(scope, [client, ...(other && "client" in other ? [other.client] : [])]);
  if (names.length > 0)
    throw badField(
      "isAnother",
      `You have a client called ${names.join(" and ")} already. Open that one, or say that this is somebody else.`,
    );
}

async function idOfOther(scope: Scope, other: Intake["other"]): Promise<string | null> {
  if (!other) return null;
  return "clientId" in other ? other.clientId : (await createClient(scope, other.client)).id;
}

/** What was taken in before, as this person sees it now. */
export async function getIntake(scope: Scope, id: string, { theCase }: Intake): Promise<IntakeResult> {
  const { displayName } = await getClient(scope, id);
  const first = theCase && (await listCasesOfClient(scope, id)).at(-1);
  return { id, displayName, caseId: first?.id ?? null };
}
