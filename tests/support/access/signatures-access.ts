import { newId } from "@app/server/core/ids";
import type { Door, Target } from "./door.ts";

const token = "t".repeat(43);
const reading = { access: "subscribed", permission: "clients.read" } as const;
const sending = { access: "subscribed", permission: ["clients.read", "documents.manage", "mail.send"] } as const;
const signer = ({ signatureId, partyId }: Target) => ({ id: signatureId, partyId });

/** What is sent out to be signed: by whoever has the link, and seen to by the practice. */
export const SIGNATURES_ACCESS: Record<string, Door> = {
  "signatures.signing.open": { access: "public", input: () => ({ token }) },
  "signatures.signing.sign": {
    access: "public",
    input: () => ({
      token,
      documentHash: "0".repeat(64),
      mark: { name: "Priya Nair", strokes: [] },
      hasSeenAll: true,
      agrees: true,
    }),
  },
  "signatures.signing.decline": { access: "public", input: () => ({ token, reason: "" }) },
  "signatures.signing.verify": { access: "public", input: () => ({ hash: "0".repeat(64) }) },
  "signatures.list": { ...reading, input: ({ clientId }) => ({ clientId, page: 1 }), stranger: "missing" },
  "signatures.get": { ...reading, input: ({ signatureId }) => ({ id: signatureId }), stranger: "missing" },
  "signatures.trail": {
    access: "subscribed",
    permission: ["clients.read", "audit.read"],
    input: ({ signatureId }) => ({ id: signatureId }),
    stranger: "missing",
  },
  "signatures.create": {
    ...sending,
    input: ({ fileId, partyId }) => ({
      id: newId(),
      fileId,
      partyIds: [partyId],
      isInOrder: false,
      isAgreement: false,
      confidences: null,
      days: 14,
      words: "",
    }),
    stranger: "missing",
    // It is no PDF.
    passedGatesWith: "BAD_REQUEST",
  },
  "signatures.showLink": { ...sending, input: signer, stranger: "missing" },
  "signatures.remind": {
    ...sending,
    input: (target) => ({ ...signer(target), changeId: newId() }),
    stranger: "missing",
  },
  "signatures.extend": {
    ...sending,
    input: (target) => ({ ...signer(target), changeId: newId(), days: 7 }),
    stranger: "missing",
  },
  "signatures.void": {
    ...sending,
    input: ({ signatureId }) => ({ id: signatureId, reason: "The wrong paper" }),
    stranger: "missing",
  },
};
