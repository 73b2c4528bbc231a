import { z } from "zod";
import {
  addPartySchema,
  boardSchema,
  casePageSchema,
  caseSchema,
  casesOfClientsSchema,
  caseStepSchema,
  clientCaseSchema,
  createCaseSchema,
  inviteSchema,
  listCasesSchema,
  moveCaseSchema,
  movePartySchema,
  setFundingSchema,
  updateCaseSchema,
  updatePartySchema,
} from "@app/shared/cases";
import { byIdSchema, ofChange, ofNewThing } from "@app/shared/ids";
import { partyPreviewSchema, previewSchema } from "@app/shared/party-preview";
import { changing, creatingItself } from "../../core/once.ts";
import { permitted, router } from "../../core/trpc.ts";
import { outputForParty } from "../visibility/for-party.ts";
import { getBoard } from "./board.service.ts";
import { casesOfClients } from "./client-cases.ts";
import * as editing from "./case-editing.ts";
import * as progress from "./case-progress.ts";
import * as cases from "./cases.service.ts";
import { previewOf } from "./party-preview.ts";

const reading = permitted("clients.read");
const writing = permitted("clients.read", "clients.write");

export const casesRouter = router({
  list: reading
    .input(listCasesSchema)
    .output(casePageSchema)
    .query(({ ctx, input }) => cases.listCases(ctx.scope, input)),
  get: reading
    .input(byIdSchema)
    .output(caseSchema)
    .query(({ ctx, input }) => cases.getCase(ctx.scope, input.id)),
  ofClient: reading
    .input(byIdSchema)
    .output(z.object({ items: z.array(caseSchema) }))
    .query(async ({ ctx, input }) => ({ items: await cases.listCasesOfClient(ctx.scope, input.id) })),
  ofClients: reading
    .input(casesOfClientsSchema)
    .output(z.object({ items: z.array(clientCaseSchema) }))
    .query(async ({ ctx, input }) => ({ items: await casesOfClients(ctx.scope, input.clientIds) })),
  board: reading.output(boardSchema).query(({ ctx }) => getBoard(ctx.scope)),
  steps: reading
    .input(byIdSchema)
    .output(z.object({ items: z.array(caseStepSchema) }))
    .query(async ({ ctx, input }) => ({ items: await progress.caseSteps(ctx.scope, input.id) })),
  preview: reading
    .input(previewSchema)
    .output(outputForParty(partyPreviewSchema))
    .query(({ ctx, input }) => previewOf(ctx.scope, input)),
  create: writing
    .input(createCaseSchema.safeExtend(ofNewThing))
    .output(caseSchema)
    .mutation(creatingItself(editing.openCase, cases.getCase)),
  update: writing
    .input(updateCaseSchema)
    .output(caseSchema)
    .mutation(({ ctx, input }) => editing.updateCase(ctx.scope, input)),
  move: writing
    .input(moveCaseSchema)
    .output(caseSchema)
    .mutation(({ ctx, input }) => progress.moveCase(ctx.scope, input)),
  addParty: writing
    .input(addPartySchema.safeExtend(ofChange))
    .output(caseSchema)
    .mutation(changing(progress.addParty, cases.getCase)),
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
    .mutation(changing(progress.inviteParty, cases.getCase)),
  setFunding: writing
    .input(setFundingSchema)
    .output(caseSchema)
    .mutation(({ ctx, input }) => editing.setFunding(ctx.scope, input)),
});
