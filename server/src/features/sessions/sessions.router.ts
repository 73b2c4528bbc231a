import { z } from "zod";
import { byIdSchema } from "@app/shared/ids";
import { noteSchema } from "@app/shared/notes";
import {
  addProposalSchema,
  addSessionNoteSchema,
  amendSessionSchema,
  courtReportSchema,
  moveSessionSchema,
  partySummarySchema,
  pauseSessionSchema,
  releaseProposalSchema,
  removeNextStepSchema,
  removeTopicSchema,
  saveNextStepSchema,
  saveTopicSchema,
  sessionRowSchema,
  sessionSchema,
  setAttendanceSchema,
  setProposalStatusSchema,
  startSessionSchema,
  summarySchema,
  updateSessionSchema,
} from "@app/shared/sessions";
import { permitted, router } from "../../core/trpc.ts";
import { outputForParty } from "../visibility/for-party.ts";
import * as moves from "./session-moves.service.ts";
import * as proposals from "./session-proposals.service.ts";
import * as summary from "./session-summary.service.ts";
import * as work from "./session-work.service.ts";
import * as sessions from "./sessions.service.ts";

const reading = permitted("clients.read");
const writing = permitted("clients.read", "clients.write");

export const sessionsRouter = router({
  ofCase: reading
    .input(byIdSchema)
    .output(z.object({ items: z.array(sessionRowSchema) }))
    .query(async ({ ctx, input }) => ({ items: await sessions.sessionsOfCase(ctx.scope, input.id) })),
  get: reading
    .input(byIdSchema)
    .output(sessionSchema)
    .query(({ ctx, input }) => sessions.getSession(ctx.scope, input.id)),
  partySummary: reading
    .input(summarySchema)
    .output(outputForParty(partySummarySchema))
    .query(({ ctx, input }) => summary.partySummary(ctx.scope, input)),
  courtReport: reading
    .input(byIdSchema)
    .output(courtReportSchema)
    .query(({ ctx, input }) => summary.courtReport(ctx.scope, input.id)),
  create: writing
    .input(startSessionSchema)
    .output(sessionSchema)
    .mutation(({ ctx, input }) => sessions.createSession(ctx.scope, input)),
  start: writing
    .input(startSessionSchema)
    .output(sessionSchema)
    .mutation(({ ctx, input }) => sessions.startSession(ctx.scope, input)),
  update: writing
    .input(updateSessionSchema)
    .output(sessionSchema)
    .mutation(({ ctx, input }) => work.updateSession(ctx.scope, input)),
  move: writing
    .input(moveSessionSchema)
    .output(sessionSchema)
    .mutation(({ ctx, input }) => moves.moveSession(ctx.scope, input)),
  setPaused: writing
    .input(pauseSessionSchema)
    .output(sessionSchema)
    .mutation(({ ctx, input }) => moves.setPaused(ctx.scope, input)),
  setAttendance: writing
    .input(setAttendanceSchema)
    .output(sessionSchema)
    .mutation(({ ctx, input }) => work.setAttendance(ctx.scope, input)),
  saveTopic: writing
    .input(saveTopicSchema)
    .output(sessionSchema)
    .mutation(({ ctx, input }) => work.saveTopic(ctx.scope, input)),
  removeTopic: writing
    .input(removeTopicSchema)
    .output(sessionSchema)
    .mutation(({ ctx, input }) => work.removeTopic(ctx.scope, input)),
  addNote: writing
    .input(addSessionNoteSchema)
    .output(noteSchema)
    .mutation(({ ctx, input }) => sessions.addNote(ctx.scope, input)),
  addProposal: writing
    .input(addProposalSchema)
    .output(sessionSchema)
    .mutation(({ ctx, input }) => proposals.addProposal(ctx.scope, input)),
  setProposalStatus: writing
    .input(setProposalStatusSchema)
    .output(sessionSchema)
    .mutation(({ ctx, input }) => proposals.setProposalStatus(ctx.scope, input)),
  releaseProposal: writing
    .input(releaseProposalSchema)
    .output(sessionSchema)
    .mutation(({ ctx, input }) => proposals.releaseProposal(ctx.scope, input)),
  saveNextStep: writing
    .input(saveNextStepSchema)
    .output(sessionSchema)
    .mutation(({ ctx, input }) => work.saveNextStep(ctx.scope, input)),
  removeNextStep: writing
    .input(removeNextStepSchema)
    .output(sessionSchema)
    .mutation(({ ctx, input }) => work.removeNextStep(ctx.scope, input)),
  amend: writing
    .input(amendSessionSchema)
    .output(sessionSchema)
    .mutation(({ ctx, input }) => moves.amendSession(ctx.scope, input)),
});
