import { newId } from "@app/server/core/ids";
import type { MailDraft } from "@app/shared/mail-check";
import { richTextOf } from "@app/shared/rich-text";
import type { Door } from "./door.ts";
import type { Target } from "./door.ts";
import { aLetterTo } from "../mail/letters.ts";

const draft = ({ clientId, caseId }: Target): MailDraft => aLetterTo("somebody@example.org", { clientId, caseId });
const aNewDraft = () => ({ id: newId(), version: 0, windowId: newId() });
const fields = { name: "Papers", subject: "Your papers", body: richTextOf("Hello") };
const templates = { access: "subscribed", permission: "mail.send" } as const;
const sending = { access: "subscribed", permission: ["clients.read", "mail.send"] } as const;

export const COMPOSE_ACCESS: Record<string, Door> = {
  "compose.start": { ...sending, input: ({ clientId, caseId }) => ({ clientId, caseId }), stranger: "missing" },
  "compose.sendableFiles": {
    ...sending,
    input: ({ clientId, caseId, fileId }) => ({ clientId, caseId, fileIds: [fileId] }),
    stranger: "missing",
  },
  "compose.check": { ...sending, input: draft, stranger: "missing" },
  "compose.send": {
    ...sending,
    input: (target) => ({ id: newId(), ...draft(target), sendAt: null }),
    stranger: "missing",
  },
  "compose.saveDraft": {
    ...sending,
    input: (target) => ({ ...draft(target), kept: aNewDraft() }),
    stranger: "missing",
  },
  // A draft is its writer's own: with the id of another's client, nothing is found and nothing discarded.
  "compose.discardDraft": {
    ...sending,
    input: ({ clientId, caseId }) => ({ clientId, caseId, kept: aNewDraft() }),
    stranger: "own",
  },
  "outbox.sendNow": {
    ...sending,
    input: ({ mailId }) => ({ id: mailId }),
    stranger: "missing",
    // It waits for no later time.
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "outbox.settleBounce": {
    ...sending,
    input: ({ mailId }) => ({ id: mailId, hasBounced: true }),
    stranger: "missing",
    // No report says that it came back.
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "mailTemplates.list": { ...templates, stranger: "own" },
  "mailTemplates.get": { ...templates, input: ({ templateId }) => ({ id: templateId }), stranger: "missing" },
  "mailTemplates.create": { ...templates, input: () => ({ id: newId(), ...fields }), stranger: "own" },
  "mailTemplates.update": {
    ...templates,
    input: ({ templateId }) => ({ ...fields, id: templateId, version: 0 }),
    stranger: "missing",
  },
  "mailTemplates.remove": { ...templates, input: ({ templateId }) => ({ id: templateId }), stranger: "missing" },
  "mailTemplates.restore": { ...templates, input: ({ templateId }) => ({ id: templateId }), stranger: "missing" },
};
