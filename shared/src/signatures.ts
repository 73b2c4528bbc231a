// A document that people sign by a link of their own, each apart from the others.
import { z } from "zod";
import { CONFIDENCES } from "./confidences.ts";
import { isEmptyAnswer } from "./form-answers.ts";
import { SIGNATURE_POINTS_MAX, SIGNATURE_STROKES_MAX } from "./form-limits.ts";
import { byIdSchema, idSchema, tokenSchema } from "./ids.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { lineSchema, NOTE_MAX_LENGTH } from "./text.ts";
import { instantSchema } from "./time.ts";

export const SIGNERS_MAX = 10;
export const SIGNING_DAYS = [3, 7, 14, 28, 60] as const;
export const SIGNING_DAYS_DEFAULT = 14;
/** How long whoever signed may still open what they signed, by their link. */
export const SIGNED_OPEN_DAYS = 90;
export const SIGNED_PDF_MAX_BYTES = 20 * 1024 * 1024;
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

const daysSchema = z.literal(SIGNING_DAYS);

export const createSignatureSchema = z
  .strictObject({
    fileId: idSchema,
    /** In the order in which they are asked, where it is in order. */
    partyIds: z.array(idSchema).min(1, "Choose who is to sign").max(SIGNERS_MAX),
    isInOrder: z.boolean(),
    /** Whether signing it is signing the agreement to mediate: each signature is then a step of the case. */
    isAgreement: z.boolean(),
    /** What the agreement says of confidences; asked where nobody has said it yet. */
    confidences: z.enum(CONFIDENCES).nullable(),
    days: daysSchema,
    /** What its sender says before the link; may be empty. */
    words: wordsSchema(NOTE_MAX_LENGTH),
  })
  .refine(({ partyIds }) => new Set(partyIds).size === partyIds.length, {
    path: ["partyIds"],
    message: "Choose each person once",
  });
export type CreateSignature = z.output<typeof createSignatureSchema>;

export const signerSchema = z.object({
  partyId: idSchema,
  name: z.string(),
  state: z.enum(SIGNER_STATES),
  /** By which they can sign. */
  dueAt: instantSchema,
  askedAt: instantSchema.nullable(),
  openedAt: instantSchema.nullable(),
  signedAt: instantSchema.nullable(),
  declinedAt: instantSchema.nullable(),
  declineReason: z.string(),
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
export const signaturePageSchema = pageOf(signatureSchema);

const ofSigner = { ...byIdSchema.shape, partyId: idSchema };
export const remindSignerSchema = z.strictObject(ofSigner);
export const extendSignerSchema = z.strictObject({ ...ofSigner, days: daysSchema });
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

/** By whoever has the link. */
export const openSigningSchema = z.strictObject({ token: tokenSchema });

/** What one signer sees: nothing of any other. */
export const signingPageSchema = z.object({
  practiceName: z.string(),
  name: z.string(),
  title: z.string(),
  state: z.enum(["open", "not_yet", "signed", "complete", "declined", "expired", "void"]),
  dueAt: instantSchema,
  signedAt: instantSchema.nullable(),
  /** Of the bytes that are shown, in hex: what is signed is what was seen. */
  documentHash: z.string(),
  words: z.string(),
});
export type SigningPage = z.infer<typeof signingPageSchema>;

export const signSchema = z.strictObject({
  token: tokenSchema,
  documentHash: z.string().regex(/^[0-9a-f]{64}$/),
  mark: markSchema,
  hasSeenAll: z.literal(true, "Read to the end first"),
  agrees: z.literal(true, "Tick that you agree to sign in this way"),
});
export type Sign = z.output<typeof signSchema>;

export const declineSchema = z.strictObject({
  token: tokenSchema,
  reason: wordsSchema(DECLINE_REASON_MAX),
});
export type Decline = z.output<typeof declineSchema>;

/** Asked with the hash that the page computed: the document itself is sent to nobody. */
export const verifySignatureSchema = z.strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/) });
export const verifiedSchema = z.object({
  /** `sealed`: as it was sealed; `unsigned`: what was sent out to be signed; `unknown`: changed, or not from here. */
  is: z.enum(["sealed", "unsigned", "unknown"]),
  practiceName: z.string(),
  sealedAt: instantSchema.nullable(),
  signatures: z.number().int(),
});
export type Verified = z.infer<typeof verifiedSchema>;
