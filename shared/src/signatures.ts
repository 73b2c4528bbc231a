// A document that people sign, each apart from the others: parties by a link of their own, mediators signed in.
import { z } from "zod";
import { CONFIDENCES } from "./confidences.ts";
import { isEmptyAnswer } from "./form-answers.ts";
import { SIGNATURE_POINTS_MAX, SIGNATURE_STROKES_MAX } from "./form-limits.ts";
import { byIdSchema, idSchema, tokenSchema } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { SEALS_MAX, SIGNING_CODE_DIGITS } from "./signing-limits.ts";
import { lineSchema, NOTE_MAX_LENGTH } from "./text.ts";
import { instantSchema } from "./time.ts";

export const SIGNERS_MAX = 10;
export const SIGNING_DAYS = [3, 7, 14, 28, 60] as const;
export const SIGNING_DAYS_DEFAULT = 14;
/** How long whoever signed may still open what they signed, by their link. */
export const SIGNED_OPEN_DAYS = 90;
export const SIGNED_PDF_MAX_BYTES = 20 * 1024 * 1024;
const SIGNING_PROOF_MAX = 500;
const DECLINE_REASON_MAX = 500;
const COORDINATE_MAX = 1000;

const wordsSchema = (max: number) => z.string().trim().max(max, `Use at most ${max} characters`);

/** A name that is typed, or a drawing: strokes of points x, y in thousandths of the box's width. */
const markSchema = z
  .strictObject({
    name: lineSchema(100),
    strokes: z
      .array(z.array(z.number().int().min(0).max(COORDINATE_MAX)).max(SIGNATURE_POINTS_MAX))
      .max(SIGNATURE_STROKES_MAX),
  })
  .refine((mark) => !isEmptyAnswer(mark), "Type your name, or draw your signature");
export type SignatureMark = z.output<typeof markSchema>;

export const SIGNATURE_STATUSES = ["sent", "partly_signed", "completed", "declined", "expired", "void"] as const;
export type SignatureStatus = (typeof SIGNATURE_STATUSES)[number];
export const SIGNATURE_STATUS_WORDS: Record<SignatureStatus, string> = {
  sent: "Waiting for signatures",
  partly_signed: "Partly signed",
  completed: "Signed by all",
  declined: "Refused",
  expired: "Out of time",
  void: "Withdrawn",
};
/** In these somebody can still sign, or be given more time. */
export const OPEN_STATUSES = ["sent", "partly_signed"] as const satisfies readonly SignatureStatus[];

export const isBeingSigned = (status: SignatureStatus): boolean => OPEN_STATUSES.some((open) => open === status);

export const SIGNER_STATES = ["waiting", "asked", "opened", "signed", "declined", "expired"] as const;
export type SignerState = (typeof SIGNER_STATES)[number];

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
const daysSchema = z.literal(SIGNING_DAYS);

/** A party of the case, by a link of their own, or a mediator of it, who is signed in. */
export const SIGNER_KINDS = ["party", "mediator"] as const;
export type SignerKind = (typeof SIGNER_KINDS)[number];
const signerChoiceSchema = z.strictObject({ kind: z.enum(SIGNER_KINDS), id: idSchema });
export type SignerChoice = z.output<typeof signerChoiceSchema>;

export const createSignatureSchema = z
  .strictObject({
    fileId: idSchema,
    /** In the order in which they are asked, where it is in order. */
    signers: z.array(signerChoiceSchema).min(1, "Choose who is to sign").max(SIGNERS_MAX),
    isInOrder: z.boolean(),
    /** Whether each party types a code before they see it, which the practice reads to them by phone. */
    isCodeAsked: z.boolean(),
    /** Whether signing it is signing the agreement to mediate: each signature is then a step of the case. */
    isAgreement: z.boolean(),
    /** What the agreement says of confidences; asked where nobody has said it yet. */
    confidences: z.enum(CONFIDENCES).nullable(),
    days: daysSchema,
    /** What its sender says before the link; may be empty. */
    words: wordsSchema(NOTE_MAX_LENGTH),
  })
  .refine(({ signers }) => new Set(signers.map(({ id }) => id)).size === signers.length, {
    path: ["signers"],
    message: "Choose each person once",
  })
  .refine(({ signers }) => signers.some(({ kind }) => kind === "party"), {
    path: ["signers"],
    message: "Choose at least one party. What only the practice signs needs nobody’s link.",
  });
export type CreateSignature = z.output<typeof createSignatureSchema>;

export const signerSchema = z.object({
  kind: z.enum(SIGNER_KINDS),
  /** Of the party, or of the mediator as a user. */
  id: idSchema,
  name: z.string(),
  state: z.enum(SIGNER_STATES),
  /** By which they can sign. */
  dueAt: instantSchema,
  askedAt: instantSchema.nullable(),
  openedAt: instantSchema.nullable(),
  signedAt: instantSchema.nullable(),
  declinedAt: instantSchema.nullable(),
  declineReason: z.string(),
  /** Whether a code was made for them, where one is asked for. */
  hasCode: z.boolean(),
  /** What a colleague was asked to do because no mail may be sent; empty where none was. */
  task: z.string(),
  /** Why their signature is not a step of the case yet; empty where it is, or is none. */
  stepRefused: z.string(),
});
export type Signer = z.infer<typeof signerSchema>;

export const signatureSchema = z.object({
  id: idSchema,
  caseId: idSchema,
  fileId: idSchema,
  fileName: z.string(),
  status: z.enum(SIGNATURE_STATUSES),
  isInOrder: z.boolean(),
  isCodeAsked: z.boolean(),
  isAgreement: z.boolean(),
  signers: z.array(signerSchema),
  createdAt: instantSchema,
  createdByName: z.string(),
  /** The sealed document, once all have signed. */
  sealedFileId: idSchema.nullable(),
  version: z.number().int(),
});
export type Signature = z.infer<typeof signatureSchema>;

export const listSignaturesSchema = z.strictObject({ ...pageInputSchema.shape, clientId: idSchema });
/** Of one case, the newest first. */
export const CASE_SIGNATURES_MAX = 200;
export const caseSignaturesSchema = z.object({ items: z.array(signatureSchema) });
export const signaturePageSchema = pageOf(signatureSchema);

const ofSigner = { ...byIdSchema.shape, signerId: idSchema };
export const remindSignerSchema = z.strictObject(ofSigner);
export const extendSignerSchema = z.strictObject({ ...ofSigner, days: daysSchema });
export const newSigningCodeSchema = z.strictObject(ofSigner);
/** Shown this once; a new one ends it. */
export const signingCodeSchema = z.object({ code: z.string() });
export const signerLinkSchema = z.object({ address: z.string() });
export const voidSignatureSchema = z.strictObject({
  ...byIdSchema.shape,
  reason: lineSchema(DECLINE_REASON_MAX).min(1, "Say why it is withdrawn"),
});

/** One line of what happened to a document that is signed, for the practice. */
export const signatureEventSchema = z.object({
  at: instantSchema,
  text: z.string(),
  /** Of the network and the program by which somebody signed; empty for what the practice did. */
  from: z.string(),
  hash: z.string(),
});
export const signatureTrailSchema = z.object({
  events: z.array(signatureEventSchema),
  /** Whether each line still holds the one before. */
  isWhole: z.boolean(),
  documentHash: z.string(),
  sealedHash: z.string(),
});
export type SignatureTrail = z.infer<typeof signatureTrailSchema>;

/** By whoever has the link; with what they got for the code, where one is asked for. */
const visitShape = { token: tokenSchema, proof: z.string().max(SIGNING_PROOF_MAX).default("") };
export const openSigningSchema = z.strictObject(visitShape);
export type OpenSigning = z.output<typeof openSigningSchema>;
export const proveSigningSchema = z.strictObject({
  token: tokenSchema,
  /** As it was typed, spaces and all. */
  code: z
    .string()
    .max(20)
    .transform((text) => text.replaceAll(/\D/g, ""))
    .refine((digits) => digits.length === SIGNING_CODE_DIGITS, `The code has ${SIGNING_CODE_DIGITS} digits`),
});
export const signingProofSchema = z.object({ proof: z.string() });

const SIGNING_STATES = ["open", "not_yet", "signed", "complete", "declined", "expired", "void"] as const;
export type SigningState = (typeof SIGNING_STATES)[number];

/** What one signer sees: nothing of any other. */
export const signingPageSchema = z.object({
  practiceName: z.string(),
  name: z.string(),
  title: z.string(),
  /** `code`: nothing is shown before the code that the practice gives by phone. */
  state: z.enum(["code", ...SIGNING_STATES]),
  dueAt: instantSchema,
  signedAt: instantSchema.nullable(),
  /** Of the bytes that are shown, in hex: what is signed is what was seen. */
  documentHash: z.string(),
  words: z.string(),
});
export type SigningPage = z.infer<typeof signingPageSchema>;

const signedShape = {
  documentHash: hashSchema,
  mark: markSchema,
  hasSeenAll: z.literal(true, "Read to the end first"),
  agrees: z.literal(true, "Tick that you agree to sign in this way"),
};
export const signSchema = z.strictObject({ ...visitShape, ...signedShape });
export type Sign = z.output<typeof signSchema>;

/** What a mediator of the case reads and signs, signed in. */
export const ownSigningSchema = signingPageSchema
  .pick({ name: true, dueAt: true, documentHash: true })
  .extend({ state: z.enum(SIGNING_STATES), fileId: idSchema });
export type OwnSigning = z.infer<typeof ownSigningSchema>;
export const signOwnSchema = z.strictObject({ ...byIdSchema.shape, ...signedShape });

export const declineSchema = z.strictObject({
  ...visitShape,
  reason: wordsSchema(DECLINE_REASON_MAX),
});
export type Decline = z.output<typeof declineSchema>;

/** A certificate with its key, as a PKCS #12 file: of the chain that is usual it has some kilobytes. */
export const CERTIFICATE_FILE_MAX_BYTES = 60_000;
export const addSealCertificateSchema = z.strictObject({
  file: z
    .base64("Choose a .p12 or .pfx file")
    .min(1, "Choose the file of the certificate")
    .max(Math.ceil(CERTIFICATE_FILE_MAX_BYTES / 3) * 4, "This file is larger than any certificate. Choose another one"),
  password: z.string().max(200),
});
export type AddSealCertificate = z.output<typeof addSealCertificateSchema>;
export const sealCertificateSchema = z.object({
  subject: z.string(),
  issuer: z.string(),
  startsAt: instantSchema,
  endsAt: instantSchema,
  /** Its time is over: the practice seals by its own made key again. */
  isOver: z.boolean(),
  addedAt: instantSchema,
  addedByName: z.string(),
});
export type SealCertificate = z.infer<typeof sealCertificateSchema>;

/** Asked with the hashes that the page computed: the document itself is sent to nobody. */
export const verifySignatureSchema = z.strictObject({
  hash: hashSchema,
  /** Of the seals in it, by which a document from here is known that was changed. */
  seals: z.array(hashSchema).max(SEALS_MAX).default([]),
});
export type VerifySignature = z.output<typeof verifySignatureSchema>;
export const verifiedSchema = z.object({
  /**
   * `sealed`: as it was sealed; `changed`: with a seal from here, and not as it was sealed; `unsigned`: what was sent out
   * to be signed; `unknown`: not from here, or changed to its seal.
   */
  is: z.enum(["sealed", "changed", "unsigned", "unknown"]),
  practiceName: z.string(),
  sealedAt: instantSchema.nullable(),
  signatures: z.number().int(),
});
export type Verified = z.infer<typeof verifiedSchema>;
