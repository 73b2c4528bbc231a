// An enquiry becomes a client with a case: by the very service that adds a client, in one transaction with the step.
import type { z } from "zod";
import type { convertedLeadSchema, convertLeadSchema } from "@app/shared/leads";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getClient } from "../clients/clients.service.ts";
import { createIntake } from "../intake/intake.service.ts";
import { assertStep, stepping, takeStep } from "./lead-moves.service.ts";
import { requireLead } from "./leads.service.ts";

type Converted = z.infer<typeof convertedLeadSchema>;

/** All of it, or nothing where one part of it is refused. */
export async function convertLead(
  scope: Scope,
  { intake, ...of }: z.output<typeof convertLeadSchema>,
): Promise<Converted> {
  await stepping(scope, of, async (doc) => {
    assertStep(doc, "converted");
    if (!intake.theCase) throw badField("theCase", "Open the case that this lead brings.");
    const { id: clientId, caseId } = await createIntake(scope, intake);
    if (caseId === null) throw new Error("the case that was just opened is missing");
    return takeStep(scope, doc, { to: "converted", set: { converted: { clientId, caseId, at: now() } } });
  });
  return getConverted(scope, of.id);
}

/** What a lead became, as this person sees it now. */
export async function getConverted(scope: Scope, id: string): Promise<Converted> {
  const { converted } = await requireLead(scope, id);
  if (!converted) throw wrongState("This lead was not converted.");
  const { displayName } = await getClient(scope, converted.clientId);
  return { id, clientId: converted.clientId, caseId: converted.caseId, displayName };
}
