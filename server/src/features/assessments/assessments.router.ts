import {
  assessmentListSchema,
  assessmentSchema,
  correctAssessmentSchema,
  listAssessmentsSchema,
  recordAssessmentSchema,
  recordElsewhereSchema,
  strikeAssessmentSchema,
} from "@app/shared/assessments";
import { ofNewThing } from "@app/shared/ids";
import { creating } from "../../core/once.ts";
import { calling, permitted, router } from "../../core/trpc.ts";
import * as assessments from "./assessments.service.ts";

export const assessmentsRouter = router({
  list: permitted("clients.read")
    .input(listAssessmentsSchema)
    .output(assessmentListSchema)
    .query(({ ctx, input }) => assessments.listAssessments(ctx.scope, input.caseId)),
  record: permitted("clients.read", "clients.write", "screening.read")
    .input(recordAssessmentSchema.safeExtend(ofNewThing))
    .output(assessmentSchema)
    .mutation(creating(assessments.recordAssessment, assessments.getAssessment)),
  recordElsewhere: permitted("clients.read", "clients.write")
    .input(recordElsewhereSchema.safeExtend(ofNewThing))
    .output(assessmentSchema)
    .mutation(creating(assessments.recordElsewhere, assessments.getAssessment)),
  correct: permitted("clients.read", "clients.write", "screening.read")
    .input(correctAssessmentSchema)
    .output(assessmentSchema)
    .mutation(calling(assessments.correctAssessment)),
  strike: permitted("clients.read", "clients.write")
    .input(strikeAssessmentSchema)
    .output(assessmentSchema)
    .mutation(calling(assessments.strikeAssessment)),
});
