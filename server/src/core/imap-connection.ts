// A connection in the thread that speaks with mail servers, and what is fetched on it.
import { type FetchQueryObject, ImapFlow, type ImapFlowOptions } from "imapflow";
import { Transform } from "node:stream";
import { boundedMail, ENVELOPE_FIELDS } from "./imap-bounds.ts";
import type { FetchOptions, MailQuery, PostedMail } from "./imap-messages.ts";

// Read in half a second, without the literals in it. The structure of a mail of 2,000 parts takes half as much.
const MAIL_MAX_BYTES = 512 * 1024;
// The numbers of half a million mails.
const ANSWER_MAX_BYTES = 4 * 1024 * 1024;
const FETCHED = /^\* \d{1,10} FETCH /;
const LEFT_OUT = Buffer.from("* OK left out\r\n");

/** A connection that is not open yet, and leaves out what a server says of a mail where that takes too long to read. */
export function newFlow(options: ImapFlowOptions): ImapFlow {
  const flow = new ImapFlow(options);
  // Without a listener a connection that drops would end the thread; whoever uses it is told by its own call.
  flow.on("error", () => undefined);
  // The library itself gives up the whole connection over an answer that is too large.
  const answers: unknown = Reflect.get(flow, "streamer");
  if (!(answers instanceof Transform)) throw new Error("the library keeps its stream of answers elsewhere");
  const push = answers.push.bind(answers);
  answers.push = (answer: unknown) => {
    const size = sizeOf(answer);
    if (size <= MAIL_MAX_BYTES) return push(answer);
    if (isFetched(answer)) return push({ ...answer, payload: LEFT_OUT, literals: [] });
    if (size <= ANSWER_MAX_BYTES) return push(answer);
    answers.destroy(Object.assign(new Error("an answer is too large"), { code: "ResponseTooLarge" }));
    return false;
  };
  return flow;
}

const payloadOf = (answer: unknown): Buffer | null =>
  typeof answer === "object" && answer && "payload" in answer && Buffer.isBuffer(answer.payload)
    ? answer.payload
    : null;

const sizeOf = (answer: unknown): number => payloadOf(answer)?.length ?? 0;

const isFetched = (answer: unknown): answer is object =>
  FETCHED.test(payloadOf(answer)?.subarray(0, 20).toString("latin1") ?? "");

interface Wanted {
  range: string;
  query: MailQuery;
  options: FetchOptions;
}

/**
 * These mails of the open folder, bounded. Those whose structure takes too long to read, such as one of a thousand levels
 * or of ten thousand parts, come without it.
 */
export async function fetchBounded(flow: ImapFlow, { range, query, options }: Wanted): Promise<PostedMail[]> {
  const { envelope = false, headers = [], bodyStructure = false, ...rest } = query;
  const fields = [...new Set([...headers, ...(envelope ? ENVELOPE_FIELDS : [])])];
  const plain = { ...rest, ...(fields.length > 0 ? { headers: fields } : {}) };
  const fetchEach = async (asked: FetchQueryObject) => {
    const mails: PostedMail[] = [];
    // One by one, or the whole headers of all of them would be held at once.
    for await (const mail of flow.fetch(range, asked, { uid: options.uid }))
      mails.push(boundedMail(mail, envelope, options));
    return mails;
  };
  const mails = await fetchEach({ ...plain, bodyStructure });
  if (!bodyStructure || mails.length >= countOf(range)) return mails;
  const known = new Set(mails.map(({ uid }) => uid));
  return [...mails, ...(await fetchEach(plain)).filter(({ uid }) => !known.has(uid))];
}

/** How many mails a range names. */
const countOf = (range: string): number =>
  range
    .split(",")
    .map((part) => part.split(":").map(Number))
    .reduce((sum, [first = 0, last = first]) => sum + last - first + 1, 0);
