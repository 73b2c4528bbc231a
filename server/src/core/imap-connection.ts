// A connection in the thread that speaks with mail servers, and what is fetched on it.
import { type FetchMessageObject, type FetchQueryObject, ImapFlow, type ImapFlowOptions } from "imapflow";
import { Transform, type TransformCallback } from "node:stream";
import type { Account } from "./imap-account.ts";
import { boundedMail } from "./imap-bounds.ts";
import type { FetchOptions, MailQuery, PostedMail } from "./imap-messages.ts";
import { readableLines } from "./imap-shape.ts";
import type { WorkTime } from "./imap-work-time.ts";
import { ENVELOPE_FIELDS } from "./mail-header.ts";

/** A connection that is not open yet, and leaves out what a server says of a mail where that takes too long to read. */
export function newFlow(options: ImapFlowOptions, account: Account, workTime: WorkTime): ImapFlow {
  const flow = new ImapFlow(options);
  // Without a listener a connection that drops would end the thread; whoever uses it is told by its own call.
  flow.on("error", () => undefined);
  // The library itself gives up the whole connection over an answer that is too large.
  const answers: unknown = Reflect.get(flow, "streamer");
  if (!(answers instanceof Transform)) throw new Error("the library keeps its stream of answers elsewhere");
  countBytes(answers, account);
  chooseLines(answers);
  const read = answers.read.bind(answers);
  answers.read = (size?: number): unknown => {
    workTime.end();
    const answer: unknown = read(size);
    if (answer !== null) workTime.begin();
    return answer;
  };
  return flow;
}

const tooLarge = (): Error => Object.assign(new Error("an answer is too large"), { code: "ResponseTooLarge" });

/** Before any of it is kept, and after it was inflated. */
function countBytes(answers: Transform, account: Account): void {
  const transform = answers._transform.bind(answers);
  answers._transform = (chunk: Buffer, encoding: BufferEncoding, next: TransformCallback) => {
    const goOn = (isWithin: boolean) => {
      if (answers.destroyed) next();
      else if (isWithin) transform(chunk, encoding, next);
      else answers.destroy(tooLarge());
    };
    const taken = account.take(chunk.length);
    if (typeof taken === "boolean") goOn(taken);
    else void taken.then(goOn);
  };
}

function chooseLines(answers: Transform): void {
  const push = answers.push.bind(answers);
  answers.push = (answer: unknown) => {
    const line = payloadOf(answer);
    if (!line || typeof answer !== "object") return push(answer);
    const readable = readableLines(line);
    if (!readable) {
      answers.destroy(tooLarge());
      return false;
    }
    const { lines, isLeftOut } = readable;
    if (isLeftOut) return push({ ...answer, payload: lines[0], literals: [] });
    // The last one tells that all were read.
    for (const payload of lines.slice(0, -1)) push({ payload, literals: [] });
    return push({ ...answer, payload: lines.at(-1) ?? line });
  };
}

const payloadOf = (answer: unknown): Buffer | null =>
  typeof answer === "object" && answer && "payload" in answer && Buffer.isBuffer(answer.payload)
    ? answer.payload
    : null;

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
    const missing = numbersOf(range);
    const mails: PostedMail[] = [];
    // One by one, or the whole headers of all of them would be held at once.
    for await (const mail of flow.fetch(range, asked, { uid: options.uid })) {
      // A server tells of changed flags whenever it likes (RFC 3501, section 7.4.2).
      if (!hasContent(mail, asked)) continue;
      if (!missing.delete(options.uid ? mail.uid : mail.seq)) throw unasked(flow);
      mails.push(boundedMail(mail, envelope, options));
    }
    return mails;
  };
  const mails = await fetchEach({ ...plain, bodyStructure });
  if (!bodyStructure || mails.length >= countOf(range)) return mails;
  const known = new Set(mails.map(({ uid }) => uid));
  return [...mails, ...(await fetchEach(plain)).filter(({ uid }) => !known.has(uid))];
}

/** Whether it is more than flags. */
const hasContent = (
  { headers, bodyParts, bodyStructure, envelope, uid }: FetchMessageObject,
  asked: FetchQueryObject,
) =>
  asked.headers || asked.bodyParts || asked.bodyStructure
    ? Boolean(headers ?? bodyParts ?? bodyStructure ?? envelope)
    : Number.isInteger(uid);

function unasked(flow: ImapFlow): Error {
  flow.close();
  return tooLarge();
}

const rangesOf = (range: string) =>
  range.split(",").map((part) => {
    const [first = 0, last = first] = part.split(":").map(Number);
    return { first, last };
  });

function numbersOf(range: string): Set<number> {
  const numbers = new Set<number>();
  for (const { first, last } of rangesOf(range)) for (let one = first; one <= last; one += 1) numbers.add(one);
  return numbers;
}

/** How many mails a range names. */
export const countOf = (range: string): number =>
  rangesOf(range).reduce((sum, { first, last }) => sum + last - first + 1, 0);
