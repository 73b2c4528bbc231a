// An enquiry becomes a client with a case: by the very service that adds a client, in one transaction with the step.
import type { z } from "zod";
import { whyNotHeld } from "@app/shared/confidences";
import {
  type convertedLeadSchema,
  type convertLeadSchema,
  LEAD_CHANNEL_NAMES,
  type LeadOfClient,
} from "@app/shared/leads";
import { richTextOf } from "@app/shared/rich-text";
import { caucusOf, PRACTICE_ONLY } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { createIntake } from "../intake/intake.service.ts";
import { insertNote } from "../notes/notes.service.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { type ConvertedLead, passOnWithLead } from "./lead-conversions.service.ts";
import { assertStep, stepping, takeStep } from "./lead-moves.service.ts";
import { requireLead } from "./leads.service.ts";
import { detailsOf, type LeadDoc, LeadModel } from "./leads.model.ts";

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
    await passOn(scope, doc, { clientId, caseId });
    const set = { converted: { clientId, caseId, at: now() }, ...(intake.conflict ? decidedBy(scope, doc) : {}) };
    return takeStep(scope, doc, { to: "converted", set });
  });
  return getConverted(scope, of.id);
}

/** Whoever decided on the conflict of the case has looked at what was found for its lead. */
const decidedBy = ({ userName }: Scope, { conflict }: LeadDoc): Partial<LeadDoc> =>
  conflict ? { conflict: { ...conflict, lookedAt: now(), lookedByName: userName } } : {};

/** The lead is the owner's alone: whoever takes the case over reads what was said in it on the client. */
async function passOn(
  scope: Scope,
  doc: LeadDoc,
  { clientId, caseId }: Pick<ConvertedLead, "clientId" | "caseId">,
): Promise<void> {
  const theCase = await getCase(scope, caseId);
  const partyId = theCase.parties.find((party) => party.clientId === clientId)?.partyId;
  if (partyId === undefined) throw new Error("whoever asked is no party to the case that was just opened");
  const { isSummaryForPractice } = await passOnWithLead(scope, { leadId: doc._id, clientId, caseId, partyId });
  const { summary } = detailsOf(doc);
  if (summary === "" || !isSummaryForPractice) return;
  const { dateTime } = await practiceDates(doc.ownerId);
  const heading = `First contact, ${dateTime(doc.createdAt)}: ${LEAD_CHANNEL_NAMES[doc.channel]}`;
  const inConfidence = caucusOf(partyId);
  await insertNote(scope, theCase, {
    caseId,
    clientId: null,
    kind: "file_note",
    visibility: whyNotHeld(theCase, inConfidence) === null ? inConfidence : PRACTICE_ONLY,
    body: richTextOf(`${heading}\n${summary}`),
  });
}

/** What a lead became, as this person sees it now. */
export async function getConverted(scope: Scope, id: string): Promise<Converted> {
  const { converted } = await requireLead(scope, id);
  if (!converted) throw wrongState("This lead was not converted.");
  const { displayName } = await getClient(scope, converted.clientId);
  return { id, clientId: converted.clientId, caseId: converted.caseId, displayName };
}

/** The way back from a client to what they asked first. */
export async function leadOfClient({ ownerId }: Scope, clientId: string): Promise<LeadOfClient> {
  const doc = await LeadModel.findOne({ ownerId, "converted.clientId": clientId }, { createdAt: 1 }).lean();
  return { lead: doc && { id: doc._id, createdAt: doc.createdAt.toISOString() } };
}
