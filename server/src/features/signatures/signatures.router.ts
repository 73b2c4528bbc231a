import { byIdSchema, idSchema, ofChange, ofNewThing } from "@app/shared/ids";
import {
  addSealCertificateSchema,
  caseSignaturesSchema,
  createSignatureSchema,
  declineSchema,
  extendSignerSchema,
  listSignaturesSchema,
  newSigningCodeSchema,
  openSigningSchema,
  ownSigningSchema,
  proveSigningSchema,
  remindSignerSchema,
  sealCertificateSchema,
  signaturePageSchema,
  signatureSchema,
  signatureTrailSchema,
  signerLinkSchema,
  signingCodeSchema,
  signingPageSchema,
  signingProofSchema,
  signOwnSchema,
  signSchema,
  verifiedSchema,
  verifySignatureSchema,
  voidSignatureSchema,
} from "@app/shared/signatures";
import { z } from "zod";
import { changing, creatingItself } from "../../core/once.ts";
import {
  calling,
  callingById,
  noInputSchema,
  ownerProcedure,
  permitted,
  recentlyConfirmed,
  router,
  visitorProcedure,
} from "../../core/trpc.ts";
import { outputForParty } from "../visibility/for-party.service.ts";
import { createSignature } from "./new-signatures.ts";
import { openOwn, signOwn } from "./own-signing.ts";
import { newSigningCode, proveSigning } from "./signing-codes.ts";
import { decline, openSigning, sign } from "./signing.service.ts";
import * as certificates from "./seal-certificates.ts";
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
  prove: visitorProcedure
    .input(proveSigningSchema)
    .output(signingProofSchema)
    .mutation(({ ctx, input }) => proveSigning(ctx, input)),
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

/** By a mediator who is to sign, signed in. */
const own = router({
  // A mutation, because it notes that the document was opened.
  open: reading
    .input(byIdSchema)
    .output(ownSigningSchema)
    .mutation(({ ctx, input }) => openOwn(ctx, input)),
  sign: reading
    .input(signOwnSchema)
    .output(ownSigningSchema)
    .mutation(({ ctx, input }) => signOwn(ctx, input)),
});

/** By which certificate the practice seals: for its owner. */
const certificate = router({
  get: ownerProcedure
    .output(sealCertificateSchema.nullable())
    .query(({ ctx }) => certificates.getSealCertificate(ctx.scope)),
  add: ownerProcedure
    .use(recentlyConfirmed)
    .input(addSealCertificateSchema)
    .output(sealCertificateSchema)
    .mutation(({ ctx, input }) => certificates.addSealCertificate(ctx, input)),
  remove: ownerProcedure
    .use(recentlyConfirmed)
    .input(noInputSchema)
    .output(z.null())
    .mutation(({ ctx }) => certificates.removeSealCertificate(ctx)),
});

export const signaturesRouter = router({
  signing,
  own,
  certificate,
  list: reading.input(listSignaturesSchema).output(signaturePageSchema).query(calling(signatures.listSignatures)),
  ofCase: reading
    .input(z.strictObject({ caseId: idSchema }))
    .output(caseSignaturesSchema)
    .query(calling(signatures.signaturesOfCase)),
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
  newCode: sending.input(newSigningCodeSchema).output(signingCodeSchema).mutation(calling(newSigningCode)),
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
