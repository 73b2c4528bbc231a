// What the server and the worker that reads mail servers tell each other.
import type { ImapFlowOptions, SearchObject } from "imapflow";
import { z } from "zod";

const bytes = z
  .instanceof(Uint8Array)
  .transform((given): Buffer => Buffer.from(given.buffer, given.byteOffset, given.byteLength));
const addresses = z.array(z.object({ name: z.string(), address: z.string() }));
const parameters = z.record(z.string(), z.string());

const structureSchema = z.object({
  part: z.string(),
  type: z.string(),
  encoding: z.string(),
  size: z.number(),
  id: z.string(),
  disposition: z.string(),
  parameters,
  dispositionParameters: parameters,
  /** The Message-ID of a mail within the mail. */
  messageId: z.string(),
  get childNodes() {
    return z.array(structureSchema).optional();
  },
});

const mailSchema = z.object({
  uid: z.number(),
  flags: z.set(z.string()).optional(),
  internalDate: z.date().optional(),
  envelope: z
    .object({
      /** In their one form, the first ones of each field. */
      from: addresses,
      sender: addresses,
      replyTo: addresses,
      to: addresses,
      cc: addresses,
      bcc: addresses,
      subject: z.string(),
      messageId: z.string(),
      inReplyTo: z.string(),
      date: z.date().optional(),
    })
    .optional(),
  /** Missing where nobody could read it. */
  bodyStructure: structureSchema.optional(),
  headers: bytes.optional(),
  /** There was more in the header than anybody reads. */
  isHeaderCut: z.boolean(),
  /** Whether the address that was asked about wrote the mail or got it. */
  isOf: z.boolean(),
  bodyParts: z.map(z.string(), bytes),
});

export type Mail = z.output<typeof mailSchema>;
export type MailStructure = z.output<typeof structureSchema>;
export type PostedMail = z.input<typeof mailSchema>;

export interface MailQuery {
  uid?: boolean;
  flags?: boolean;
  internalDate?: boolean;
  /** Who, to whom, when and what about, out of the header. */
  envelope?: boolean;
  bodyStructure?: boolean;
  headers?: string[];
  bodyParts?: { key: string; start: number; maxLength: number }[];
}

export interface FetchOptions {
  /** The range names uids, not places in the folder. */
  uid: boolean;
  /** Whose mails they may be; `isOf` tells. */
  about?: string;
  /** How many addresses of a field are given. */
  addressesMax?: number;
}

export const fetchedSchema = z.object({ mails: z.array(mailSchema), hasMore: z.boolean() });
export const foundSchema = z.instanceof(Uint32Array);

/** What a thread is started with. */
export const threadGivenSchema = z.object({
  /** Where it keeps the number of the connection whose answer it reads. */
  shown: z.custom<Int32Array>((given) => given instanceof Int32Array),
  /** How long it reads the answers on one connection, of its own time; what was used comes back by and by. */
  workMaxMs: z.number(),
});
export type ThreadGiven = z.output<typeof threadGivenSchema>;

const stateSchema = z.object({
  isUsable: z.boolean(),
  folder: z
    .object({
      path: z.string(),
      exists: z.number(),
      /** Null where the server does not say. */
      uidNext: z.number().nullable(),
      uidValidity: z.bigint(),
    })
    .nullable(),
});
export type ConnectionState = z.output<typeof stateSchema>;

const failureSchema = z.object({
  message: z.string(),
  // What tells why a server refused: see diagnosis.ts.
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type Failure = z.output<typeof failureSchema>;

export const toldSchema = z.union([
  z.object({ pong: z.literal(true) }),
  z.object({ id: z.number(), state: stateSchema, failure: failureSchema }),
  z.object({ id: z.number(), state: stateSchema, value: z.unknown() }),
  z.object({ connection: z.number(), state: stateSchema, event: z.enum(["exists", "close", "tooMuch"]) }),
]);

/** Of what cannot be understood: whose it is. */
export const tellingSchema = z.object({ id: z.number(), connection: z.number() }).partial();

const asking = <Method extends string>(method: Method) => {
  const base = { method: z.literal(method), id: z.number(), connection: z.number() };
  return <Shape extends z.ZodRawShape>(given: Shape) => z.object({ ...base, ...given });
};

export const askedSchema = z.discriminatedUnion("method", [
  z.object({ method: z.literal("ping") }),
  asking("connect")({ of: z.string(), options: z.custom<ImapFlowOptions>() }),
  asking("list")({}),
  asking("status")({ folder: z.string() }),
  asking("create")({ folder: z.string() }),
  asking("open")({ folder: z.string() }),
  asking("lock")({ folder: z.string(), readOnly: z.boolean() }),
  asking("release")({}),
  asking("search")({ query: z.custom<SearchObject>(), mustLook: z.boolean() }),
  asking("fetch")({ range: z.string(), query: z.custom<MailQuery>(), options: z.custom<FetchOptions>() }),
  asking("more")({}),
  asking("append")({ folder: z.string(), content: bytes, flags: z.array(z.string()) }),
  asking("noop")({}),
  asking("idle")({}),
  asking("logout")({}),
  asking("close")({}),
]);
export type Asked = Exclude<z.output<typeof askedSchema>, { method: "ping" }>;
