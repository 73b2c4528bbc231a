import { z } from "zod";
import { EMAIL_MAX_LENGTH } from "./email-address.ts";
import { idSchema, tokenSchema } from "./ids.ts";
import { isProductName } from "./product-name.ts";
import { PRODUCT_NAME } from "./product.ts";
import { emailSchema, lineSchema, personNameSchema } from "./text.ts";
import { instantSchema } from "./time.ts";
import { currentUserSchema, mediatorTypeSchema, regionSchema } from "./users.ts";

// NIST SP 800-63B-4 and OWASP ASVS 6.2: length counts, composition rules do not.
export const PASSWORD_MIN_LENGTH = 12;
export const PASSWORD_MAX_LENGTH = 256;
export const PRACTICE_NAME_MAX_LENGTH = 80;

export const newPasswordSchema = z
  .string()
  .min(PASSWORD_MIN_LENGTH, `Use at least ${PASSWORD_MIN_LENGTH} characters. Three or four words make a good password.`)
  .max(PASSWORD_MAX_LENGTH, `Use at most ${PASSWORD_MAX_LENGTH} characters`);

const enteredPasswordSchema = z
  .string()
  .min(1, "Enter your password")
  .max(PASSWORD_MAX_LENGTH, "This password is too long");

export const practiceNameSchema = lineSchema(PRACTICE_NAME_MAX_LENGTH)
  .min(1, "Enter the name of your practice")
  .refine(
    (name) => !isProductName(name),
    `${PRODUCT_NAME} is the name of this product. Enter the name of your practice.`,
  );

/** An account of before may have an address that none can be given now, so any text is looked up. */
const enteredEmailSchema = z
  .string()
  .trim()
  .min(1, "Enter an email address")
  .max(EMAIL_MAX_LENGTH, "This address is too long");

export const signInSchema = z.strictObject({
  email: enteredEmailSchema,
  password: enteredPasswordSchema,
  /** Keep the sign-in for 14 days instead of ending it with the browser. */
  isRemembered: z.boolean().default(false),
});

export const registerSchema = z.strictObject({
  firstName: personNameSchema,
  lastName: personNameSchema,
  email: emailSchema,
  password: newPasswordSchema,
  practiceName: practiceNameSchema,
  region: regionSchema,
  mediatorType: mediatorTypeSchema,
});

/** Where mail can leave, whoever holds the mailed link chooses the password, so none is sent before. */
export const askForPracticeSchema = registerSchema.partial({ password: true });
/** Whoever holds the link says what to open: the link proves the address and nothing else. */
export const confirmRegistrationSchema = registerSchema.omit({ email: true }).extend({ token: tokenSchema });

export const acceptInvitationSchema = z.strictObject({
  token: tokenSchema,
  firstName: personNameSchema,
  lastName: personNameSchema,
  password: newPasswordSchema,
});

export const requestPasswordResetSchema = z.strictObject({ email: enteredEmailSchema });
export const resetPasswordSchema = z.strictObject({ token: tokenSchema, password: newPasswordSchema });
export const changePasswordSchema = z.strictObject({
  currentPassword: enteredPasswordSchema,
  password: newPasswordSchema,
});

/** Six digits of the authenticator, or one recovery code such as 7KQ2-M4XD-9PTR. */
export const secondFactorSchema = z
  .string()
  .trim()
  .transform((text) => text.replace(/[\s-]/g, "").toUpperCase())
  .pipe(z.string().regex(/^(\d{6}|[0-9A-Z]{12})$/, "Enter the six digits, or one of your recovery codes"));

export const verifyTwoFactorSchema = z.strictObject({ code: secondFactorSchema });
export const confirmPasswordSchema = z.strictObject({ password: enteredPasswordSchema });

export const deviceSchema = z.object({
  id: idSchema,
  browser: z.string(),
  address: z.string(),
  lastSeenAt: instantSchema,
  signedInAt: instantSchema,
  isThisOne: z.boolean(),
});
export type Device = z.infer<typeof deviceSchema>;

/** What every guard of the page asks first. */
export const authStatusSchema = z.object({
  isSetUp: z.boolean(),
  isRegistrationAllowed: z.boolean(),
  isMailConfigured: z.boolean(),
  isDevelopment: z.boolean(),
  user: currentUserSchema.nullable(),
  isSecondFactorPending: z.boolean(),
});
export type AuthStatus = z.infer<typeof authStatusSchema>;

export const signedInSchema = z.object({ next: z.literal("done") });
export const signInResultSchema = z.object({ next: z.enum(["done", "second_factor"]) });
export const registerResultSchema = z.object({
  /** "confirm": a link was mailed, whatever was there before. */
  next: z.enum(["done", "checkout", "confirm"]),
  checkoutUrl: z.string().nullable(),
});
/** For whom mail of the product leaves this installation: it says nothing of any one address. */
export const mailStateSchema = z.object({ mailLeavesFor: z.enum(["everybody", "some", "nobody"]) });
export type MailState = z.infer<typeof mailStateSchema>;

export const byTokenSchema = z.strictObject({ token: tokenSchema });
export const invitationSchema = z.object({
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  practiceName: z.string(),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** What a mailed link proves, and what was entered before in the browser that asks. */
export const begunRegistrationSchema = z.object({
  email: z.string(),
  begun: z
    .object({
      firstName: z.string(),
      lastName: z.string(),
      practiceName: z.string(),
      region: regionSchema,
      mediatorType: mediatorTypeSchema,
    })
    .nullable(),
});
export type BegunRegistration = z.infer<typeof begunRegistrationSchema>;

/** Shown once, as text and as a picture for the authenticator. */
export const twoFactorSetUpSchema = z.object({ secret: z.string(), uri: z.string() });
export const recoveryCodesSchema = z.object({ recoveryCodes: z.array(z.string()) });
export const disableTwoFactorSchema = z.strictObject({ password: enteredPasswordSchema, code: secondFactorSchema });

export type SignIn = z.infer<typeof signInSchema>;
export type RegisterResult = z.infer<typeof registerResultSchema>;
export type Register = z.infer<typeof registerSchema>;
export type AskForPractice = z.infer<typeof askForPracticeSchema>;
export type ConfirmRegistration = z.infer<typeof confirmRegistrationSchema>;
export type AcceptInvitation = z.infer<typeof acceptInvitationSchema>;
