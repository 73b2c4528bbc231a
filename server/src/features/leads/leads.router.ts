import { z } from "zod";
import { byIdSchema, idSchema, ofChange, ofNewThing } from "@app/shared/ids";
import { leadReportInputSchema, leadReportSchema } from "@app/shared/lead-report";
import {
  convertedLeadSchema,
  convertLeadSchema,
  createLeadSchema,
  leadBoardInputSchema,
  leadBoardSchema,
  leadOfClientSchema,
  leadPageSchema,
  leadSchema,
  leadSettingsSchema,
  leadVersionSchema,
  listLeadsSchema,
  loseLeadSchema,
  moveLeadSchema,
  setSpamSchema,
  spamSetSchema,
  updateLeadSchema,
  writeToLeadSchema,
} from "@app/shared/leads";
import { changing, creating } from "../../core/once.ts";
import { calling, callingById, ownerProcedure, recentlyConfirmed, router } from "../../core/trpc.ts";
import { leadBoard } from "./lead-board.service.ts";
import { convertLead, getConverted, leadOfClient } from "./lead-conversion.service.ts";
import { writeToLead } from "./lead-letters.service.ts";
import { setSpam } from "./lead-spam.service.ts";
import { loseLead, moveLead, noteCall, reopenLead } from "./lead-moves.service.ts";
import { leadReport } from "./lead-report.service.ts";
import { getLeadSettings, setLeadSettings } from "./lead-reply.service.ts";
import * as leads from "./leads.service.ts";
import "./lead-arrivals.ts";

export const leadsRouter = router({
  list: ownerProcedure.input(listLeadsSchema).output(leadPageSchema).query(calling(leads.listLeads)),
  board: ownerProcedure.input(leadBoardInputSchema).output(leadBoardSchema).query(calling(leadBoard)),
  get: ownerProcedure.input(byIdSchema).output(leadSchema).query(callingById(leads.getLead)),
  ofClient: ownerProcedure.input(byIdSchema).output(leadOfClientSchema).query(callingById(leadOfClient)),
  create: ownerProcedure
    .input(createLeadSchema.safeExtend(ofNewThing))
    .output(leadSchema)
    .mutation(creating(leads.createLead, leads.getLead)),
  update: ownerProcedure.input(updateLeadSchema).output(leadSchema).mutation(calling(leads.updateLead)),
  lookAtConflict: ownerProcedure.input(leadVersionSchema).output(leadSchema).mutation(calling(leads.lookAtConflict)),
  move: ownerProcedure.input(moveLeadSchema).output(leadSchema).mutation(calling(moveLead)),
  noteCall: ownerProcedure.input(leadVersionSchema).output(leadSchema).mutation(calling(noteCall)),
  setSpam: ownerProcedure.input(setSpamSchema).output(spamSetSchema).mutation(calling(setSpam)),
  lose: ownerProcedure.input(loseLeadSchema).output(leadSchema).mutation(calling(loseLead)),
  reopen: ownerProcedure.input(leadVersionSchema).output(leadSchema).mutation(calling(reopenLead)),
  convert: ownerProcedure
    .input(convertLeadSchema.safeExtend(ofChange))
    .output(convertedLeadSchema)
    .mutation(changing(convertLead, getConverted)),
  write: ownerProcedure
    .input(writeToLeadSchema.safeExtend(ofChange))
    .output(leadSchema)
    .mutation(changing(writeToLead, leads.getLead)),
  erase: ownerProcedure
    .use(recentlyConfirmed)
    .input(byIdSchema)
    .output(z.object({ id: idSchema }))
    .mutation(callingById(leads.eraseLead)),
  report: ownerProcedure.input(leadReportInputSchema).output(leadReportSchema).query(calling(leadReport)),
  settings: ownerProcedure.output(leadSettingsSchema).query(({ ctx }) => getLeadSettings(ctx.scope)),
  setSettings: ownerProcedure.input(leadSettingsSchema).output(leadSettingsSchema).mutation(calling(setLeadSettings)),
});
