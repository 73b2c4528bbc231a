import "./gaps-anew.ts";
import "./held-meetings.ts";
import "./unwritten-meetings.ts";
import "./unsafe-now.ts";
import { z } from "zod";
import { byIdSchema, ofChange, ofNewThing } from "@app/shared/ids";
import { noteSchema } from "@app/shared/notes";
import {
  addProposalSchema,
  addSessionNoteSchema,
  courtReportSchema,
  createSessionSchema,
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
import { amendSessionSchema } from "@app/shared/session-amendments";
import { sessionMeetingSchema } from "@app/shared/session-meetings";
import { recordSessionSchema, setTimesSchema } from "@app/shared/session-times";
import { reviewSafetySchema } from "@app/shared/safety-reviews";
import { changing, creatingItself } from "../../core/once.ts";
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import { outputForParty } from "../visibility/for-party.service.ts";
import * as amendments from "./session-amendments.service.ts";
import { meetingsWithout } from "./session-use.service.ts";
import * as moves from "./session-transitions.service.ts";
import * as proposals from "./session-proposals.service.ts";
import * as times from "./session-times.service.ts";
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
  meetings: reading
    .input(byIdSchema)
    .output(z.object({ items: z.array(sessionMeetingSchema) }))
    .query(async ({ ctx, input }) => ({ items: await meetingsWithout(ctx.scope, input.id) })),
  get: reading.input(byIdSchema).output(sessionSchema).query(callingById(sessions.getSession)),
  partySummary: reading
    .input(summarySchema)
    .output(outputForParty(partySummarySchema))
    .query(calling(summary.partySummary)),
  courtReport: reading.input(byIdSchema).output(courtReportSchema).query(callingById(summary.courtReport)),
  create: writing
    .input(createSessionSchema.safeExtend(ofNewThing))
    .output(sessionSchema)
    .mutation(creatingItself(sessions.createSession, sessions.getSession)),
  start: writing
    .input(startSessionSchema.safeExtend(ofNewThing))
    .output(sessionSchema)
    .mutation(creatingItself(sessions.startSession, sessions.getSession)),
  record: writing
    .input(recordSessionSchema.safeExtend(ofNewThing))
    .output(sessionSchema)
    .mutation(creatingItself(times.recordSession, sessions.getSession)),
  setTimes: writing
    .input(setTimesSchema.safeExtend(ofChange))
    .output(sessionSchema)
    .mutation(changing(times.setTimes, sessions.getSession)),
  update: writing
    .input(updateSessionSchema.safeExtend(ofChange))
    .output(sessionSchema)
    .mutation(changing(work.updateSession, sessions.getSession)),
  reviewSafety: permitted("clients.read", "clients.write", "screening.read")
    .input(reviewSafetySchema.safeExtend(ofChange))
    .output(sessionSchema)
    .mutation(changing(work.reviewSafety, sessions.getSession)),
  move: writing
    .input(moveSessionSchema.safeExtend(ofChange))
    .output(sessionSchema)
    .mutation(changing(moves.moveSession, sessions.getSession)),
  setPaused: writing
    .input(pauseSessionSchema.safeExtend(ofChange))
    .output(sessionSchema)
    .mutation(changing(moves.setPaused, sessions.getSession)),
  setAttendance: writing
    .input(setAttendanceSchema.safeExtend(ofChange))
    .output(sessionSchema)
    .mutation(changing(work.setAttendance, sessions.getSession)),
  saveTopic: writing
    .input(saveTopicSchema.safeExtend(ofChange))
    .output(sessionSchema)
    .mutation(changing(work.saveTopic, sessions.getSession)),
  removeTopic: writing
    .input(removeTopicSchema.safeExtend(ofChange))
    .output(sessionSchema)
    .mutation(changing(work.removeTopic, sessions.getSession)),
  addNote: writing.input(addSessionNoteSchema).output(noteSchema).mutation(calling(sessions.addNote)),
  addProposal: writing
    .input(addProposalSchema.safeExtend(ofChange))
    .output(sessionSchema)
    .mutation(changing(proposals.addProposal, sessions.getSession)),
  setProposalStatus: writing
    .input(setProposalStatusSchema.safeExtend(ofChange))
    .output(sessionSchema)
    .mutation(changing(proposals.setProposalStatus, sessions.getSession)),
  releaseProposal: writing
    .input(releaseProposalSchema.safeExtend(ofChange))
    .output(sessionSchema)
    .mutation(changing(proposals.releaseProposal, sessions.getSession)),
  saveNextStep: writing
    .input(saveNextStepSchema.safeExtend(ofChange))
    .output(sessionSchema)
    .mutation(changing(work.saveNextStep, sessions.getSession)),
  removeNextStep: writing
    .input(removeNextStepSchema.safeExtend(ofChange))
    .output(sessionSchema)
    .mutation(changing(work.removeNextStep, sessions.getSession)),
  amend: writing
    .input(amendSessionSchema.safeExtend(ofChange))
    .output(sessionSchema)
    .mutation(changing(amendments.amendSession, sessions.getSession)),
});
