import { z } from "zod";
import { changeConfidencesSchema } from "@app/shared/agreements";
import {
  addPartySchema,
  caseSchema,
  caseStepSchema,
  correctStepSchema,
  createCaseSchema,
  moveCaseSchema,
  movePartySchema,
  setFundingSchema,
  updateCaseSchema,
  updatePartySchema,
} from "@app/shared/cases";
import { invitationsSchema, inviteSchema } from "@app/shared/ladders";
import { endDisclosureSchema, recordDisclosureSchema } from "@app/shared/disclosures";
import { byIdSchema, ofChange, ofNewThing } from "@app/shared/ids";
import { changing, creatingItself } from "../../core/once.ts";
import { permitted, router } from "../../core/trpc.ts";
import { getCase } from "../cases/cases.service.ts";
import { changeConfidences } from "./case-agreements.ts";
import { correctStep } from "./case-corrections.ts";
import * as editing from "./case-editing.service.ts";
import { endDisclosure, recordDisclosure } from "./disclosures.ts";
import * as progress from "./case-progress.ts";
import { invitationsOf } from "./invitations.service.ts";

const writing = permitted("clients.read", "clients.write");

export const caseworkRouter = router({
  steps: permitted("clients.read")
    .input(byIdSchema)
    .output(z.object({ items: z.array(caseStepSchema) }))
    .query(async ({ ctx, input }) => ({ items: await progress.caseSteps(ctx.scope, input.id) })),
  invitations: permitted("clients.read")
    .input(byIdSchema)
    .output(invitationsSchema)
    .query(({ ctx, input }) => invitationsOf(ctx.scope, input.id)),
  create: writing
    .input(createCaseSchema.safeExtend(ofNewThing))
    .output(caseSchema)
    .mutation(creatingItself(editing.openCase, getCase)),
  update: writing
    .input(updateCaseSchema)
    .output(caseSchema)
    .mutation(({ ctx, input }) => editing.updateCase(ctx.scope, input)),
  move: writing
    .input(moveCaseSchema)
    .output(caseSchema)
    .mutation(({ ctx, input }) => progress.moveCase(ctx.scope, input)),
  correct: writing
    .input(correctStepSchema)
    .output(caseSchema)
    .mutation(({ ctx, input }) => correctStep(ctx.scope, input)),
  changeConfidences: writing
    .input(changeConfidencesSchema)
    .output(caseSchema)
    .mutation(({ ctx, input }) => changeConfidences(ctx.scope, input)),
  recordDisclosure: writing
    .input(recordDisclosureSchema)
    .output(caseSchema)
    .mutation(({ ctx, input }) => recordDisclosure(ctx.scope, input)),
  endDisclosure: writing
    .input(endDisclosureSchema)
    .output(caseSchema)
    .mutation(({ ctx, input }) => endDisclosure(ctx.scope, input)),
  addParty: writing
    .input(addPartySchema.safeExtend(ofChange))
    .output(caseSchema)
    .mutation(changing(progress.addParty, getCase)),
  updateParty: writing
    .input(updatePartySchema)
    .output(caseSchema)
    .mutation(({ ctx, input }) => editing.updateParty(ctx.scope, input)),
  moveParty: writing
    .input(movePartySchema)
    .output(caseSchema)
    .mutation(({ ctx, input }) => progress.moveParty(ctx.scope, input)),
  inviteParty: writing
    .input(inviteSchema.safeExtend(ofChange))
    .output(caseSchema)
    .mutation(changing(progress.inviteParty, getCase)),
  setFunding: writing
    .input(setFundingSchema)
    .output(caseSchema)
    .mutation(({ ctx, input }) => editing.setFunding(ctx.scope, input)),
});
