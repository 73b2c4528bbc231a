import "./end-truth.ts";
import "./miam-truth.ts";
import "./still-kept.ts";
import { changeConfidencesSchema, correctAgreementSchema } from "@app/shared/agreements";
import { caseStepsSchema, safetyDueSchema } from "@app/shared/case-steps";
import {
  addPartySchema,
  type Case,
  correctDaySchema,
  type CreateCase,
  createCaseSchema,
  moveCaseSchema,
  movePartySchema,
  setFundingSchema,
  takeOutPartySchema,
  updateCaseSchema,
  updatePartySchema,
} from "@app/shared/cases";
import { correctStepSchema } from "@app/shared/step-corrections";
import { recordContactAgreementSchema } from "@app/shared/contact-agreements";
import { invitationsSchema, inviteSchema, returnAttemptSchema, strikeAttemptSchema } from "@app/shared/ladders";
import { endDisclosureSchema, recordDisclosureSchema } from "@app/shared/disclosures";
import { byIdSchema, ofChange, ofNewThing } from "@app/shared/ids";
import { changing, creatingItself, type Keep } from "../../core/once.ts";
import { calling, callingById, permitted, router, type Scope } from "../../core/trpc.ts";
import { getShownCase, shown, shownCase, type ShownCase, shownCaseSchema } from "../cases/case-shown.service.ts";
import { changeConfidences, correctAgreement } from "./case-agreements.ts";
import { correctStep } from "./case-corrections.ts";
import { correctDay } from "./day-corrections.ts";
import { addParty } from "./joining.ts";
import * as editing from "./case-editing.service.ts";
import { recordContactAgreement } from "./contact-agreements.ts";
import { endDisclosure, recordDisclosure } from "./disclosures.ts";
import * as progress from "./case-progress.ts";
import { invitationsOf } from "./invitations.service.ts";
import { safetyDue } from "./safety-due.ts";
import { takeOutParty } from "./taken-out.ts";

const writing = permitted("clients.read", "clients.write");

/** A change of a case, whose answer is the case as whoever changed it is shown it. */
const showing = <Input>(change: (scope: Scope, input: Input) => Promise<Case>) => calling(shown(change));

/** The same for a change that is done once under the id that its sender chose. */
const showingOnce = <Sent extends { changeId: string; id: string }>(
  change: (scope: Scope, input: Omit<Sent, "changeId">) => Promise<Case>,
) => changing<Sent, ShownCase>(shown(change), (scope, id) => getShownCase(scope, id));

const opening = async (scope: Scope, input: CreateCase, keep: Keep): Promise<ShownCase> =>
  shownCase(scope, await editing.openCase(scope, input, keep));

export const caseworkRouter = router({
  steps: permitted("clients.read").input(byIdSchema).output(caseStepsSchema).query(callingById(progress.caseSteps)),
  safetyDue: permitted("clients.read").input(byIdSchema).output(safetyDueSchema).query(callingById(safetyDue)),
  invitations: permitted("clients.read").input(byIdSchema).output(invitationsSchema).query(callingById(invitationsOf)),
  create: writing
    .input(createCaseSchema.safeExtend(ofNewThing))
    .output(shownCaseSchema)
    .mutation(creatingItself(opening, getShownCase)),
  update: writing.input(updateCaseSchema).output(shownCaseSchema).mutation(showing(editing.updateCase)),
  move: writing.input(moveCaseSchema).output(shownCaseSchema).mutation(showing(progress.moveCase)),
  correct: writing.input(correctStepSchema).output(shownCaseSchema).mutation(showing(correctStep)),
  correctDay: writing.input(correctDaySchema).output(shownCaseSchema).mutation(showing(correctDay)),
  correctAgreement: writing.input(correctAgreementSchema).output(shownCaseSchema).mutation(showing(correctAgreement)),
  changeConfidences: writing
    .input(changeConfidencesSchema)
    .output(shownCaseSchema)
    .mutation(showing(changeConfidences)),
  recordContactAgreement: writing
    .input(recordContactAgreementSchema)
    .output(shownCaseSchema)
    .mutation(showing(recordContactAgreement)),
  recordDisclosure: writing.input(recordDisclosureSchema).output(shownCaseSchema).mutation(showing(recordDisclosure)),
  endDisclosure: writing.input(endDisclosureSchema).output(shownCaseSchema).mutation(showing(endDisclosure)),
  addParty: writing.input(addPartySchema.safeExtend(ofChange)).output(shownCaseSchema).mutation(showingOnce(addParty)),
  updateParty: writing.input(updatePartySchema).output(shownCaseSchema).mutation(showing(editing.updateParty)),
  takeOutParty: writing.input(takeOutPartySchema).output(shownCaseSchema).mutation(showing(takeOutParty)),
  moveParty: writing.input(movePartySchema).output(shownCaseSchema).mutation(showing(progress.moveParty)),
  inviteParty: writing
    .input(inviteSchema.safeExtend(ofChange))
    .output(shownCaseSchema)
    .mutation(showingOnce(progress.inviteParty)),
  strikeInvitation: writing
    .input(strikeAttemptSchema)
    .output(shownCaseSchema)
    .mutation(showing(progress.strikeInvitation)),
  returnInvitation: writing
    .input(returnAttemptSchema)
    .output(shownCaseSchema)
    .mutation(showing(progress.returnInvitation)),
  setFunding: writing.input(setFundingSchema).output(shownCaseSchema).mutation(showing(editing.setFunding)),
});
