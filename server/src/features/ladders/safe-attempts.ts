// An attempt by a way that may put somebody at risk is kept where it was made, with why, and a mediator looks at it.
import { cutText } from "@app/shared/cut-text";
import { BY_CHANNEL, type inviteSchema } from "@app/shared/ladders";
import { mayReachBy, waysToReach } from "@app/shared/safe-channels";
import { TASK_TITLE_MAX_LENGTH } from "@app/shared/tasks";
import type { z } from "zod";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc, PartyDoc } from "../cases/case-parties.service.ts";
import { safetyOf } from "../clients/client-addresses.service.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";

type Made = Pick<z.output<typeof inviteSchema>, "channel" | "call" | "againstBecause">;

/** BAD_REQUEST where nobody says why it was made by a way that is not safe; gives what is to be kept. */
export async function assertSafeOrSaid(
  scope: Scope,
  draft: CaseDoc,
  party: PartyDoc,
  { channel, call, againstBecause = "" }: Made,
): Promise<string> {
  const { now: safe } = await safetyOf(scope.ownerId, party.clientId);
  if (mayReachBy(safe, channel, call)) return "";
  if (againstBecause === "")
    throw badField(
      "againstBecause",
      `This is not marked as a safe way to reach ${party.label}. ${waysToReach(safe, { withEmail: true })} Where it was done all the same, say why.`,
    );
  const title = `Safety: ${party.label} was tried ${BY_CHANNEL[channel]} in case ${draft.caseRef}, which is not marked as a safe way: look whether they are in danger`;
  const lead = draft.mediators.find(({ isLead }) => isLead) ?? draft.mediators[0];
  await createTasks(scope, [
    {
      title: cutText(title, TASK_TITLE_MAX_LENGTH),
      dueOn: await practiceToday(scope.ownerId),
      assigneeId: lead?.userId ?? scope.userId,
      caseId: draft._id,
      clientId: party.clientId,
    },
  ]);
  return againstBecause;
}
