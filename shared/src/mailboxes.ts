// A person's own mailbox: what its servers are, whether it is connected, and what to do where it does not work.
import { z } from "zod";
import { emailSchema, lineSchema } from "./text.ts";
import { instantSchema } from "./time.ts";

const HOST_MAX_LENGTH = 253;
const PASSWORD_MAX_LENGTH = 500;
const CERTIFICATE_MAX_LENGTH = 20_000;
const STATE_MAX_LENGTH = 200;
const CODE_MAX_LENGTH = 2000;

export const mailServerSchema = z.strictObject({
  host: lineSchema(HOST_MAX_LENGTH)
    .toLowerCase()
    .min(1, "Enter the name of the server, such as mail.example.org")
    .regex(/^[a-z0-9._:[\]-]*$/, "Use only the name of the server, such as mail.example.org"),
  port: z.coerce
    .number("Enter the port as a number")
    .int("Enter the port as a whole number")
    .min(1, "Enter a port from 1 to 65535")
    .max(65_535, "Enter a port from 1 to 65535"),
  /** Encrypted from the first byte; otherwise encryption is switched on after the greeting. */
  secure: z.boolean(),
  user: lineSchema(254).min(1, "Enter the user name, which is often the whole address"),
});
export type MailServer = z.output<typeof mailServerSchema>;

export const mailServersSchema = z.strictObject({ imap: mailServerSchema, smtp: mailServerSchema });
export type MailServers = z.output<typeof mailServersSchema>;

export const MAIL_SIGN_INS = ["Google", "Office365"] as const;
/** Providers where one signs in on their own page. */
export type MailSignIn = (typeof MAIL_SIGN_INS)[number];

export const SERVER_SOURCES = ["known", "provider", "directory", "dns", "guess"] as const;
/** Where the servers of an address were found. */
export type ServerSource = (typeof SERVER_SOURCES)[number];

const adviceSchema = z.strictObject({
  /** What one should know before the first try, in a sentence or two. */
  text: z.string(),
  /** Where to do that: a page of the provider. */
  url: z.string(),
  urlLabel: z.string(),
});
export type MailAdvice = z.infer<typeof adviceSchema>;

export const lookUpMailboxSchema = z.strictObject({ email: emailSchema });

/** What is known of the mail servers of an address. */
export const foundServersSchema = z.strictObject({
  servers: mailServersSchema.nullable(),
  source: z.enum(SERVER_SOURCES).nullable(),
  /** "Gmail"; empty where nobody knows. */
  providerName: z.string(),
  advice: adviceSchema.nullable(),
  /** No password is taken there any more: one signs in on the provider's page. */
  signIn: z.enum(MAIL_SIGN_INS).nullable(),
  /** What could not be asked, such as for want of a network; empty where everything was. */
  notAsked: z.string(),
});
export type FoundServers = z.infer<typeof foundServersSchema>;

export const connectMailboxSchema = z.strictObject({
  email: emailSchema,
  password: z
    .string()
    .min(1, "Enter the password of the mailbox")
    .max(PASSWORD_MAX_LENGTH, `Use at most ${PASSWORD_MAX_LENGTH} characters`),
  servers: mailServersSchema,
  /** The certificate of an authority of one's own, in PEM; empty for the ones that everybody trusts. */
  ca: z
    .string()
    .trim()
    .max(CERTIFICATE_MAX_LENGTH, "This is too long for a certificate")
    .regex(
      /^(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)*$/,
      "Paste the whole certificate, from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----",
    )
    .default(""),
});
export type ConnectMailbox = z.input<typeof connectMailboxSchema>;

export const MAILBOX_FIELDS = ["email", "password", "host", "port", "secure", "user", "ca", ""] as const;

/** Why one half of a mailbox does not work. */
export const mailProblemSchema = z.strictObject({
  /** "imap" reads mail, "smtp" sends it, "provider" does both. */
  side: z.enum(["imap", "smtp", "provider"]),
  what: z.string(),
  whatToDo: z.string(),
  /** The field that is to blame; empty for none. */
  field: z.enum(MAILBOX_FIELDS),
});
export type MailProblem = z.infer<typeof mailProblemSchema>;

/** Connected where nothing stands here; otherwise nothing was saved. */
export const connectResultSchema = z.strictObject({ problems: z.array(mailProblemSchema) });
export type ConnectResult = z.infer<typeof connectResultSchema>;

/** What colleagues may do with a person's mailbox. */
export const mailboxSharingSchema = z.strictObject({ maySend: z.boolean(), mayRead: z.boolean() });
export type MailboxSharing = z.infer<typeof mailboxSharingSchema>;

const connectedSchema = z.strictObject({
  email: z.string(),
  kind: z.enum(["own", "provider"]),
  /** Of a mailbox of one's own the name of its server, otherwise the provider's. */
  providerName: z.string(),
  /** False where the last check found that it cannot be used as it is. */
  isActive: z.boolean(),
  servers: mailServersSchema.nullable(),
  /** The certificate of an authority of one's own; empty for none. */
  ca: z.string(),
  checkedAt: instantSchema.nullable(),
  /** In plain words; empty where it works. */
  lastError: z.string(),
  sharing: mailboxSharingSchema,
  /** Mails with an answer to an invitation, or about returned mail, that could not be taken in: the newest by name. */
  unread: z.strictObject({
    count: z.number().int(),
    mails: z.array(z.strictObject({ from: z.string(), at: instantSchema })),
  }),
});
export type ConnectedMailbox = z.infer<typeof connectedSchema>;

export const mailboxSchema = z.strictObject({
  connected: connectedSchema.nullable(),
  /** Providers that one can connect by signing in there, on this installation. */
  signIns: z.array(z.enum(MAIL_SIGN_INS)),
});
export type MailboxView = z.infer<typeof mailboxSchema>;

export const startSignInSchema = z.strictObject({ provider: z.enum(MAIL_SIGN_INS) });
export const signInPageSchema = z.strictObject({ url: z.url() });

/** What a provider's page hands back. */
export const finishSignInSchema = z.strictObject({
  status: z.string().max(100),
  code: z.string().max(CODE_MAX_LENGTH),
  state: z.string().max(STATE_MAX_LENGTH),
});
export type FinishSignIn = z.infer<typeof finishSignInSchema>;
export const finishedSignInSchema = z.strictObject({ email: z.string() });
