import { newId } from "@app/server/core/ids";
import type { Door, Target } from "./door.ts";

const TOKEN = "t".repeat(43);
const place = { formId: TOKEN, userId: TOKEN };
const saved = { ...place, number: 1, revision: 0, changes: [], pageId: null };
const reading = { access: "subscribed", permission: "clients.read" } as const;
const writing = { access: "subscribed", permission: ["clients.read", "clients.write"] } as const;
const mailing = { access: "subscribed", permission: ["clients.read", "clients.write", "mail.send"] } as const;
const link = ({ formLinkId }: Target) => ({ id: formLinkId });
const letter = ({ formLinkId }: Target) => ({ id: formLinkId, changeId: newId(), words: "" });

/** What is filled in: by whoever has the address, and read by the practice. */
export const SUBMISSIONS_ACCESS: Record<string, Door> = {
  "submissions.filling.open": { access: "public", input: () => place },
  "submissions.filling.save": { access: "public", input: () => saved },
  "submissions.filling.submit": {
    access: "public",
    input: () => ({ ...saved, id: newId(), formToken: TOKEN, website: "" }),
  },
  "submissions.filling.mailLink": { access: "public", input: () => ({ ...place, changeId: newId(), email: null }) },
  "submissions.filling.mailReceipt": {
    access: "public",
    input: () => ({ receipt: "r".repeat(60), changeId: newId(), email: null }),
  },
  "submissions.filling.removeFile": { access: "public", input: () => ({ ...place, id: newId() }) },
  "submissions.list": { ...reading, input: () => ({ page: 1, isSuspect: false }), stranger: "own" },
  "submissions.countNew": {
    ...reading,
    input: ({ publishedFormId }) => ({ formIds: [publishedFormId] }),
    stranger: "own",
  },
  "submissions.get": { ...reading, input: ({ submissionId }) => ({ id: submissionId }), stranger: "missing" },
  "submissions.setStatus": {
    ...writing,
    input: ({ submissionId }) => ({ id: submissionId, version: 0, status: "under_review" }),
    stranger: "missing",
  },
  "submissions.setSuspect": {
    ...writing,
    input: ({ submissionId }) => ({ id: submissionId, isSuspect: false }),
    stranger: "missing",
  },
  "submissions.assign": {
    ...writing,
    input: ({ submissionId, clientId }) => ({ id: submissionId, version: 0, clientId, caseId: null }),
    stranger: "missing",
    // They came by a link of a client's own, so they are that client's.
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "submissions.unassign": {
    ...writing,
    input: ({ submissionId }) => ({ id: submissionId, version: 0 }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "submissions.safetyAnswers": {
    access: "subscribed",
    permission: ["clients.read", "screening.read"],
    input: ({ caseId, partyId }) => ({ caseId, partyId }),
    stranger: "missing",
  },
  "submissions.safetySaid": {
    access: "subscribed",
    permission: ["clients.read", "screening.read"],
    input: ({ caseId }) => ({ caseId }),
    stranger: "missing",
  },
  "submissions.decide": {
    ...writing,
    input: ({ submissionId }) => ({
      id: submissionId,
      changeId: newId(),
      version: 0,
      clientVersion: 0,
      fieldId: "needs",
      decision: "rejected",
      text: "",
    }),
    stranger: "missing",
  },
  "submissions.forms": { ...reading, input: () => ({ search: "" }), stranger: "own" },
  "submissions.inProgress": {
    access: "subscribed",
    permission: "forms.manage",
    input: ({ publishedFormId }) => ({ id: publishedFormId }),
    stranger: "missing",
  },
  "submissions.generalAddress": {
    access: "subscribed",
    permission: "forms.manage",
    input: ({ publishedFormId }) => ({ id: publishedFormId }),
    stranger: "missing",
  },
  "submissions.listLinks": { ...reading, input: ({ clientId }) => ({ clientId }), stranger: "missing" },
  "submissions.createLink": {
    ...writing,
    input: ({ publishedFormId, clientId }) => ({
      id: newId(),
      formId: publishedFormId,
      clientId,
      caseId: null,
      days: 30,
    }),
    stranger: "missing",
  },
  "submissions.openLink": { ...writing, input: link, stranger: "missing" },
  "submissions.sendLink": { ...mailing, input: letter, stranger: "missing" },
  "submissions.remind": { ...mailing, input: letter, stranger: "missing" },
  "submissions.revokeLink": { ...writing, input: link, stranger: "missing" },
};
