import { newId } from "@app/server/core/ids";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import type { Door, Target } from "./door.ts";

export const mailPlace = ({ clientId }: Target) => ({ clientId, folder: "INBOX", uidValidity: "1", uid: 1 });

/** The practice of these tests has no mailbox: whoever is let in is told so. */
export const INBOX_ACCESS: Record<string, Door> = {
  "inbox.list": {
    access: "subscribed",
    permission: ["clients.read", "mail.read"],
    input: ({ clientId }) => ({ clientId }),
    stranger: "missing",
  },
  "inbox.open": {
    access: "subscribed",
    permission: ["clients.read", "mail.read"],
    input: mailPlace,
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "inbox.fileAttachment": {
    access: "subscribed",
    permission: ["clients.read", "documents.manage", "mail.read"],
    input: (target) => ({
      id: newId(),
      ...mailPlace(target),
      part: "2",
      name: "a.pdf",
      caseId: null,
      visibility: PRACTICE_ONLY,
    }),
    stranger: "missing",
    passedGatesWith: "PRECONDITION_FAILED",
  },
  "inbox.onNews": { access: "subscribed", permission: ["clients.read", "mail.read"], stranger: "own" },
};
