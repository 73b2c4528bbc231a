import type { z } from "zod";
import { LEAD_STATUS_NAMES, LOST_REASON_NAMES } from "@app/shared/lead-states";
import { LEAD_CHANNEL_NAMES, leadName, listLeadsSchema } from "@app/shared/leads";
import { dayIn } from "@app/shared/days";
import { listExport } from "../../core/list-export.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { leadFilter, leadSort } from "./leads.service.ts";
import { detailsOf, type LeadDoc, LeadModel } from "./leads.model.ts";

const BATCH_SIZE = 200;
const FILTER = listLeadsSchema.omit({ page: true });
const HEADINGS = [
  "Name",
  "Organisation",
  "Email",
  "Phone",
  "Other person",
  "Kind",
  "How they came",
  "Way in",
  "Campaign",
  "State",
  "Since",
  "Came in",
  "First answered",
  "Next step",
  "Next step on",
  "Why lost",
  "Summary",
];

const LIST = { things: "leads", filter: FILTER, headings: HEADINGS, rows, access: "owner" } as const;

/** GET /export/leads.csv */
export const leadsExport = listExport(LIST);
/** GET /export/leads.xlsx */
export const leadsWorkbook = listExport(LIST, "xlsx");

async function* rows(scope: Scope, filter: z.infer<typeof FILTER>): AsyncGenerator<string[]> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  const docs = LeadModel.find(leadFilter(scope, filter))
    .sort(leadSort(filter))
    .lean()
    .cursor({ batchSize: BATCH_SIZE });
  for await (const doc of docs) yield cellsOf(doc, timeZone);
}

function cellsOf(doc: LeadDoc, timeZone: string): string[] {
  const { other, summary } = detailsOf(doc);
  return [
    leadName(doc),
    doc.organisation,
    doc.email,
    doc.phone,
    other ? leadName({ ...other, organisation: "" }) : "",
    doc.domain,
    doc.source,
    LEAD_CHANNEL_NAMES[doc.channel],
    doc.campaign,
    LEAD_STATUS_NAMES[doc.status],
    dayIn(timeZone, doc.statusSince),
    dayIn(timeZone, doc.createdAt),
    doc.firstRespondedAt ? dayIn(timeZone, doc.firstRespondedAt) : "",
    doc.nextStep,
    doc.nextOn,
    doc.lostReason ? LOST_REASON_NAMES[doc.lostReason] : "",
    summary,
  ];
}
