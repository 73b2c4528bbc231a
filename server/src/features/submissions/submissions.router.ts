import { z } from "zod";
import {
  createFormLinkSchema,
  formLinkPageSchema,
  formLinkSchema,
  listFormLinksSchema,
  openFormLinkSchema,
  sendFormLinkSchema,
} from "@app/shared/form-links";
import { mailLinkSchema, mailReceiptSchema } from "@app/shared/form-mails";
import { byIdSchema, ofChange, ofNewThing } from "@app/shared/ids";
import {
  assignSubmissionSchema,
  countNewAnswersSchema,
  decideProposalSchema,
  formChoicesSchema,
  inProgressSchema,
  listFormChoicesSchema,
  listSubmissionsSchema,
  newAnswersSchema,
  openedFormSchema,
  openFormSchema,
  removeFormFileSchema,
  safetyAnswersInputSchema,
  safetyAnswersSchema,
  safetySaidInputSchema,
  safetySaidSchema,
  saveAnswersSchema,
  savedAnswersSchema,
  setSubmissionStatusSchema,
  setSuspectSchema,
  submissionPageSchema,
  submissionSchema,
  submitAnswersSchema,
  submittedSchema,
  unassignSubmissionSchema,
} from "@app/shared/submissions";
import { changing, creating } from "../../core/once.ts";
import { calling, callingById, permitted, visitorProcedure, router } from "../../core/trpc.ts";
import { countInProgress } from "./in-progress.ts";
import { sendableForms } from "../forms/form-names.service.ts";
import { mayReadKind, SCREENING_NEEDS } from "./answer-readers.ts";
import { assignSubmission, unassignSubmission } from "./assigning.service.ts";
import { openForm, saveAnswers } from "./filling.ts";
import { removeFormFile } from "./form-files.service.ts";
import * as links from "./form-links.service.ts";
import { remindOfFormLink, sendFormLink } from "./link-letters.service.ts";
import "./old-drafts.ts";
import "./enquiry-conversions.ts";
import "./submission-traces.ts";
import { generalAddress } from "./general-address.ts";
import { countNewAnswers } from "./new-answers.ts";
import { mailReceipt } from "./receipts.ts";
import { mailResumeLink } from "./resume-mails.ts";
import { decideProposal } from "./review.service.ts";
import { safetyAnswers, safetySaid } from "./safety-answers.ts";
import { submitAnswers } from "./sending.ts";
import * as submissions from "./submissions.service.ts";

const reading = permitted("clients.read");
const writing = permitted("clients.read", "clients.write");
const mailing = permitted("clients.read", "clients.write", "mail.send");

/** By whoever has the address: nobody here is signed in. */
const filling = router({
  // A mutation, because it notes that a link was opened, and nobody keeps its answer.
  open: visitorProcedure
    .input(openFormSchema)
    .output(openedFormSchema)
    .mutation(({ ctx, input }) => openForm(ctx, input)),
  save: visitorProcedure
    .input(saveAnswersSchema)
    .output(savedAnswersSchema)
    .mutation(({ ctx, input }) => saveAnswers(ctx, input)),
  submit: visitorProcedure
    .input(submitAnswersSchema)
    .output(submittedSchema)
    .mutation(({ ctx, input }) => submitAnswers(ctx, input)),
  mailLink: visitorProcedure
    .input(mailLinkSchema)
    .output(z.null())
    .mutation(({ ctx, input }) => mailResumeLink(ctx, input)),
  mailReceipt: visitorProcedure
    .input(mailReceiptSchema)
    .output(z.null())
    .mutation(({ ctx, input }) => mailReceipt(ctx, input)),
  removeFile: visitorProcedure
    .input(removeFormFileSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeFormFile(ctx, input)),
});

export const submissionsRouter = router({
  filling,
  list: reading.input(listSubmissionsSchema).output(submissionPageSchema).query(calling(submissions.listSubmissions)),
  countNew: reading.input(countNewAnswersSchema).output(newAnswersSchema).query(calling(countNewAnswers)),
  get: reading.input(byIdSchema).output(submissionSchema).query(callingById(submissions.getSubmission)),
  setStatus: writing.input(setSubmissionStatusSchema).output(submissionSchema).mutation(calling(submissions.setStatus)),
  setSuspect: writing.input(setSuspectSchema).output(submissionSchema).mutation(calling(submissions.setSuspect)),
  assign: writing.input(assignSubmissionSchema).output(submissionSchema).mutation(calling(assignSubmission)),
  unassign: writing.input(unassignSubmissionSchema).output(submissionSchema).mutation(calling(unassignSubmission)),
  safetyAnswers: permitted("clients.read", SCREENING_NEEDS)
    .input(safetyAnswersInputSchema)
    .output(safetyAnswersSchema)
    .query(({ ctx, input }) => safetyAnswers(ctx, input)),
  safetySaid: permitted("clients.read", SCREENING_NEEDS)
    .input(safetySaidInputSchema)
    .output(safetySaidSchema)
    .query(calling(safetySaid)),
  decide: writing
    .input(decideProposalSchema.safeExtend(ofChange))
    .output(submissionSchema)
    .mutation(changing(decideProposal, submissions.getSubmission)),

  forms: reading
    .input(listFormChoicesSchema)
    .output(formChoicesSchema)
    .query(({ ctx, input }) => {
      const without = mayReadKind(ctx.scope, "screening") ? [] : (["screening"] as const);
      return sendableForms(ctx.scope.ownerId, { ...input, without });
    }),
  generalAddress: permitted("forms.manage")
    .input(byIdSchema)
    .output(z.object({ address: z.string() }))
    .query(callingById(generalAddress)),
  inProgress: permitted("forms.manage").input(byIdSchema).output(inProgressSchema).query(callingById(countInProgress)),
  listLinks: reading.input(listFormLinksSchema).output(formLinkPageSchema).query(calling(links.listFormLinks)),
  createLink: writing
    .input(createFormLinkSchema.safeExtend(ofNewThing))
    .output(formLinkSchema)
    .mutation(creating(links.createFormLink, links.getFormLink)),
  openLink: writing.input(byIdSchema).output(openFormLinkSchema).query(callingById(links.openFormLink)),
  sendLink: mailing
    .input(sendFormLinkSchema.safeExtend(ofChange))
    .output(formLinkSchema)
    .mutation(changing(sendFormLink, links.getFormLink)),
  remind: mailing
    .input(sendFormLinkSchema.safeExtend(ofChange))
    .output(formLinkSchema)
    .mutation(changing(remindOfFormLink, links.getFormLink)),
  revokeLink: writing.input(byIdSchema).output(formLinkSchema).mutation(calling(links.revokeFormLink)),
});
