// The one way in for an enquiry, whoever brings it: a form, a booking or a person of the practice.
import { responseDue } from "@app/shared/lead-response";
import { type Attribution, type CapturedLead, capturedLeadSchema, LEAD_SUMMARY_MAX_LENGTH } from "@app/shared/leads";
import { NAME_MAX_LENGTH } from "@app/shared/names";
import { mediatorTypeSchema } from "@app/shared/users";
import { now } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { findIdentityUser } from "../users/users.service.ts";
import { checkConflicts } from "./lead-conflicts.ts";
import { LeadModel, sealFlags, sortDueOf, storedFields } from "./leads.model.ts";

/** Letters, marks, digits and what stands in names. */
const UNNAMED = /[^\p{L}\p{M}\p{N}\p{Zs}.\-'’&]/gu;
const asName = (text: string): string =>
  text.replace(UNNAMED, " ").replace(/\s+/g, " ").trim().slice(0, NAME_MAX_LENGTH).trim();

/** What somebody outside gave as their name, as far as it can be one. */
export const namesAsGiven = ({ firstName, lastName }: { firstName: string; lastName: string }) => ({
  firstName: asName(firstName),
  lastName: asName(lastName),
});

/** What somebody outside said of themselves and of the other person; empty where nothing was asked. */
export interface SaidOutside {
  channel: "form" | "booking";
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  other: CapturedLead["lead"]["other"];
  /** Null where it was not asked, or says nothing that is known here. */
  domain: CapturedLead["lead"]["domain"] | null;
  summary: string;
  reachBy: CapturedLead["lead"]["reachBy"];
  reachNote: string;
  /** They said more of it, which not everybody may read. */
  isReachConfided: boolean;
  attribution: Attribution;
  consent: string;
  flags: string[];
  answers: CapturedLead["answers"];
}

/** By whichever way somebody outside comes, this makes an enquiry of it; call it in the transaction of that. */
export async function becomeLead(
  ownerId: string,
  { channel, attribution, consent, flags, answers, isReachConfided, ...said }: SaidOutside,
): Promise<{ id: string }> {
  const owner = await findIdentityUser(ownerId);
  const lead = {
    ...said,
    lastName: said.lastName || "Unnamed",
    dateOfBirth: "",
    organisation: "",
    domain: said.domain ?? mediatorTypeSchema.parse(owner?.mediator_type),
    source: "website",
    campaign: "",
    summary: said.summary.slice(0, LEAD_SUMMARY_MAX_LENGTH),
    nextStep: "",
    nextOn: "",
  };
  const captured = { channel, attribution, consent, flags, answers, isReachConfided, lead };
  return captureLead(ownerId, capturedLeadSchema.parse(captured));
}

/** Nobody of the practice entered it. */
const BY_ITSELF = "Enquiry";

/**
 * Stores an enquiry. Whoever sends a form or books learns nothing of what the practice knows, by no word and by no time
 * that it takes: the records are looked through afterwards, with all that follows. Only for whoever enters it by hand
 * (`byName`) that is done at once.
 */
export async function captureLead(
  ownerId: string,
  { channel, lead, attribution, consent, flags, answers, isReachConfided = false }: CapturedLead,
  byName?: string,
): Promise<{ id: string }> {
  const at = now();
  const key = { _id: newId(), ownerId };
  const begun = {
    status: "new" as const,
    firstRespondedAt: null,
    responseDueAt: responseDue(await practiceTimeZone(ownerId), at),
  };
  await LeadModel.create([
    {
      ...key,
      ...storedFields(key, lead),
      ...begun,
      channel,
      attribution,
      consent,
      flagsEnc: sealFlags(key, flags),
      isFlagged: flags.length > 0,
      answers,
      isReachConfided,
      campaign: lead.campaign || attribution.utmCampaign.slice(0, 80),
      statusSince: at,
      isOpen: true,
      sortDue: sortDueOf({ ...begun, nextOn: lead.nextOn }),
      steps: [{ to: "new", at, byName: byName ?? BY_ITSELF }],
      // Whoever entered it by hand knows of it.
      settledAt: byName === undefined ? null : at,
      updatedByName: byName ?? BY_ITSELF,
      createdAt: at,
    },
  ]);
  if (byName !== undefined) await checkConflicts(ownerId, key._id);
  return { id: key._id };
}
