import { newId } from "@app/server/core/ids";
import type { Door, Target } from "./door.ts";

const signed = {
  documentHash: "0".repeat(64),
  mark: { name: "Priya Nair", strokes: [] },
  hasSeenAll: true,
  agrees: true,
};
const token = "t".repeat(43);
const reading = { access: "subscribed", permission: "clients.read" } as const;
const sending = { access: "subscribed", permission: ["clients.read", "documents.manage", "mail.send"] } as const;
const signer = ({ signatureId, partyId }: Target) => ({ id: signatureId, signerId: partyId });

/** What is sent out to be signed: by whoever has the link, and seen to by the practice. */
export const SIGNATURES_ACCESS: Record<string, Door> = {
  "signatures.signing.open": { access: "public", input: () => ({ token }) },
  "signatures.signing.sign": {
    access: "public",
    input: () => ({
      token,
      ...signed,
    }),
  },
  "signatures.signing.prove": { access: "public", input: () => ({ token, code: "123456" }) },
  "signatures.signing.decline": { access: "public", input: () => ({ token, reason: "" }) },
  "signatures.signing.verify": { access: "public", input: () => ({ hash: "0".repeat(64), seals: [] }) },
  "signatures.certificate.get": { access: "owner", stranger: "own" },
  "signatures.certificate.add": {
    access: "owner",
    // No certificate at all.
    input: () => ({ file: "AAAA", password: "x" }),
    stranger: "own",
    passedGatesWith: "BAD_REQUEST",
  },
  "signatures.certificate.remove": { access: "owner", stranger: "own" },
  // None of these is asked to sign it.
  "signatures.own.open": {
    ...reading,
    input: ({ signatureId }) => ({ id: signatureId }),
    stranger: "missing",
    passedGatesWith: "NOT_FOUND",
  },
  "signatures.own.sign": {
    ...reading,
    input: ({ signatureId }) => ({ id: signatureId, ...signed }),
    stranger: "missing",
    passedGatesWith: "NOT_FOUND",
  },
  "signatures.list": { ...reading, input: ({ clientId }) => ({ clientId, page: 1 }), stranger: "missing" },
  "signatures.ofCase": { ...reading, input: ({ caseId }) => ({ caseId }), stranger: "missing" },
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
      signers: [{ kind: "party", id: partyId }],
      isInOrder: false,
      isCodeAsked: false,
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
  // No code is asked for.
  "signatures.newCode": { ...sending, input: signer, stranger: "missing", passedGatesWith: "PRECONDITION_FAILED" },
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
