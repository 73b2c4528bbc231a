import { changeConfidencesSchema } from "@app/shared/agreements";
import { caseStepsSchema } from "@app/shared/case-steps";
import {
  addPartySchema,
  caseSchema,
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
import { calling, callingById, permitted, router } from "../../core/trpc.ts";
import { getShownCase, shown } from "../cases/case-shown.service.ts";
import { changeConfidences } from "./case-agreements.ts";
import { correctStep } from "./case-corrections.ts";
import * as editing from "./case-editing.service.ts";
import { endDisclosure, recordDisclosure } from "./disclosures.ts";
import * as progress from "./case-progress.ts";
import { invitationsOf } from "./invitations.service.ts";

const writing = permitted("clients.read", "clients.write");

export const caseworkRouter = router({
  steps: permitted("clients.read").input(byIdSchema).output(caseStepsSchema).query(callingById(progress.caseSteps)),
  invitations: permitted("clients.read").input(byIdSchema).output(invitationsSchema).query(callingById(invitationsOf)),
  create: writing
    .input(createCaseSchema.safeExtend(ofNewThing))
    .output(caseSchema)
    .mutation(creatingItself(editing.openCase, getShownCase)),
  update: writing
    .input(updateCaseSchema)
    .output(caseSchema)
    .mutation(calling(shown(editing.updateCase))),
  move: writing
    .input(moveCaseSchema)
    .output(caseSchema)
    .mutation(calling(shown(progress.moveCase))),
  correct: writing
    .input(correctStepSchema)
    .output(caseSchema)
    .mutation(calling(shown(correctStep))),
  changeConfidences: writing
    .input(changeConfidencesSchema)
    .output(caseSchema)
    .mutation(calling(shown(changeConfidences))),
  recordDisclosure: writing
    .input(recordDisclosureSchema)
    .output(caseSchema)
    .mutation(calling(shown(recordDisclosure))),
  endDisclosure: writing
    .input(endDisclosureSchema)
    .output(caseSchema)
    .mutation(calling(shown(endDisclosure))),
  addParty: writing
    .input(addPartySchema.safeExtend(ofChange))
    .output(caseSchema)
    .mutation(changing(shown(progress.addParty), getShownCase)),
  updateParty: writing
    .input(updatePartySchema)
    .output(caseSchema)
    .mutation(calling(shown(editing.updateParty))),
  moveParty: writing
    .input(movePartySchema)
    .output(caseSchema)
    .mutation(calling(shown(progress.moveParty))),
  inviteParty: writing
    .input(inviteSchema.safeExtend(ofChange))
    .output(caseSchema)
    .mutation(changing(shown(progress.inviteParty), getShownCase)),
  setFunding: writing
    .input(setFundingSchema)
    .output(caseSchema)
    .mutation(calling(shown(editing.setFunding))),
});
