import { byIdSchema, ofChange, ofNewThing } from "@app/shared/ids";
import {
  createSignatureSchema,
  declineSchema,
  extendSignerSchema,
  listSignaturesSchema,
  openSigningSchema,
  remindSignerSchema,
  signaturePageSchema,
  signatureSchema,
  signatureTrailSchema,
  signerLinkSchema,
  signingPageSchema,
  signSchema,
  verifiedSchema,
  verifySignatureSchema,
  voidSignatureSchema,
} from "@app/shared/signatures";
import { changing, creatingItself } from "../../core/once.ts";
import { calling, callingById, permitted, router, visitorProcedure } from "../../core/trpc.ts";
import { outputForParty } from "../visibility/for-party.service.ts";
import { createSignature } from "./new-signatures.ts";
import { decline, openSigning, sign } from "./signing.service.ts";
import * as signatures from "./signatures.service.ts";
import { verifyDocument } from "./verifying.ts";

const reading = permitted("clients.read");
const sending = permitted("clients.read", "documents.manage", "mail.send");

/** By whoever has the link: nobody here is signed in. */
const signing = router({
  // A mutation, because it notes that the document was opened.
  open: visitorProcedure
    .input(openSigningSchema)
    .output(outputForParty(signingPageSchema))
    .mutation(({ ctx, input }) => openSigning(ctx, input)),
  sign: visitorProcedure
    .input(signSchema)
    .output(outputForParty(signingPageSchema))
    .mutation(({ ctx, input }) => sign(ctx, input)),
  decline: visitorProcedure
    .input(declineSchema)
    .output(outputForParty(signingPageSchema))
    .mutation(({ ctx, input }) => decline(ctx, input)),
  verify: visitorProcedure
    .input(verifySignatureSchema)
    .output(verifiedSchema)
    .query(({ ctx, input }) => verifyDocument(ctx, input)),
});

export const signaturesRouter = router({
  signing,
  list: reading.input(listSignaturesSchema).output(signaturePageSchema).query(calling(signatures.listSignatures)),
  get: reading.input(byIdSchema).output(signatureSchema).query(callingById(signatures.getSignature)),
  trail: permitted("clients.read", "audit.read")
    .input(byIdSchema)
    .output(signatureTrailSchema)
    .query(callingById(signatures.getTrail)),
  create: sending
    .input(createSignatureSchema.safeExtend(ofNewThing))
    .output(signatureSchema)
    .mutation(creatingItself(createSignature, signatures.getSignature)),
  showLink: sending.input(remindSignerSchema).output(signerLinkSchema).mutation(calling(signatures.showSignerLink)),
  remind: sending
    .input(remindSignerSchema.safeExtend(ofChange))
    .output(signatureSchema)
    .mutation(changing(signatures.remindSigner, signatures.getSignature)),
  extend: sending
    .input(extendSignerSchema.safeExtend(ofChange))
    .output(signatureSchema)
    .mutation(changing(signatures.extendSigner, signatures.getSignature)),
  void: sending.input(voidSignatureSchema).output(signatureSchema).mutation(calling(signatures.voidSignature)),
});
