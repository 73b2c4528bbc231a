// What an answer proposes to change of a client, put beside what is there.
import { type AnswerValue, isEmptyAnswer, partOf } from "./form-answers.ts";
import { CLIENT_TARGETS, type ClientTarget } from "./form-targets.ts";
import type { CreateClient } from "./clients.ts";

/** What of a client a text may be put in the place of. */
const TEXTS = {
  "client.title": "title",
  "client.firstName": "firstName",
  "client.lastName": "lastName",
  "client.knownAs": "knownAs",
  "client.organisation": "organisation",
  "client.dateOfBirth": "dateOfBirth",
  "client.email": "email",
  "client.needs": "needs",
} as const;
const SAFE_TEXTS = { "client.safeTimes": "safeTimes", "client.codeWord": "codeWord" } as const;
const MAY = {
  "client.mayEmail": "mayEmail",
  "client.mayText": "mayText",
  "client.mayPhone": "mayPhone",
  "client.mayLeaveVoicemail": "mayLeaveVoicemail",
  "client.mayPost": "mayPost",
} as const;

const has = <Table extends object>(table: Table, target: string): target is Extract<keyof Table, string> =>
  Object.hasOwn(table, target);

export const isClientTarget = (target: string | null): target is ClientTarget =>
  CLIENT_TARGETS.some((known) => known === target);

/** Whether it says that somebody may be reached by a way, or not. */
export const isWay = (target: string): boolean => has(MAY, target);

/** What says that somebody must not be reached by a way comes before everything else. */
export const isRestricting = ({ target, after }: { target: string; after: string }): boolean =>
  isWay(target) && after === yesOrNo(false);

const yesOrNo = (isAllowed: boolean): string => (isAllowed ? "Yes" : "No");
const SEPARATOR = ", ";

/** What stands there now, in words. */
export function standing(client: CreateClient, target: ClientTarget): string {
  if (has(TEXTS, target)) return client[TEXTS[target]];
  if (has(SAFE_TEXTS, target)) return client.safeContact[SAFE_TEXTS[target]];
  if (has(MAY, target)) return yesOrNo(client.safeContact[MAY[target]]);
  if (target === "client.name") return `${client.firstName} ${client.lastName}`.trim();
  if (target === "client.mobile") return client.phones.find(({ type }) => type === "mobile")?.number ?? "";
  const { lines, postcode, country } = client.address;
  return [...lines, postcode, country].filter(Boolean).join(SEPARATOR);
}

/** What an answer puts in its place, in words; null where it says nothing that could be stored. */
export function proposedText(target: ClientTarget, answer: AnswerValue | undefined): string | null {
  if (answer === undefined || isEmptyAnswer(answer)) return null;
  if (has(MAY, target)) return answer === "yes" || answer === "no" ? yesOrNo(answer === "yes") : null;
  if (target === "client.name") return `${partOf(answer, "first")} ${partOf(answer, "last")}`.trim() || null;
  if (target === "client.address")
    return ["line1", "line2", "town", "postcode", "country"]
      .map((part) => partOf(answer, part))
      .filter(Boolean)
      .join(SEPARATOR);
  return typeof answer === "string" ? answer : null;
}

/** The client with what was answered in its place. */
export function withAnswer(client: CreateClient, target: ClientTarget, answer: AnswerValue): CreateClient {
  if (target === "client.name")
    return { ...client, firstName: partOf(answer, "first"), lastName: partOf(answer, "last") };
  if (target !== "client.address") return withText(client, target, proposedText(target, answer) ?? "");
  const lines = ["line1", "line2", "town"].map((part) => partOf(answer, part)).filter(Boolean);
  return {
    ...client,
    address: {
      lines,
      postcode: partOf(answer, "postcode"),
      country: partOf(answer, "country") || client.address.country,
    },
  };
}

/** The same with a text that somebody of the practice wrote instead. */
export function withText(client: CreateClient, target: ClientTarget, text: string): CreateClient {
  if (has(TEXTS, target)) return { ...client, [TEXTS[target]]: text };
  const { safeContact } = client;
  if (has(SAFE_TEXTS, target)) return { ...client, safeContact: { ...safeContact, [SAFE_TEXTS[target]]: text } };
  if (has(MAY, target)) return { ...client, safeContact: { ...safeContact, [MAY[target]]: text === "Yes" } };
  if (target === "client.name") return withName(client, text);
  if (target === "client.mobile") return withMobile(client, text);
  return { ...client, address: addressOf(text, client.address.country) };
}

/** What stood there in parts, of what a text does not say whole. */
export type Stood = Partial<Pick<CreateClient, "firstName" | "lastName" | "address">>;

export function stoodThere({ firstName, lastName, address }: CreateClient, target: ClientTarget): Stood {
  if (target === "client.name") return { firstName, lastName };
  return target === "client.address" ? { address } : {};
}

/** The client with what stood there before in its place again. */
export function withBefore(
  client: CreateClient,
  target: ClientTarget,
  { before, stood = {} }: { before: string; stood?: Stood | undefined },
): CreateClient {
  if (Object.keys(stood).length > 0) return { ...client, ...stood };
  if (target !== "client.mobile" || before !== "") return withText(client, target, before);
  const at = client.phones.findIndex(({ type }) => type === "mobile");
  const left = client.phones.filter((_, index) => index !== at);
  const isAnyPreferred = left.some(({ isPreferred }) => isPreferred);
  return {
    ...client,
    phones: left.map((phone, index) => (isAnyPreferred ? phone : { ...phone, isPreferred: index === 0 })),
  };
}

function withName(client: CreateClient, text: string): CreateClient {
  const words = text.trim().split(/\s+/);
  return { ...client, firstName: words.slice(0, -1).join(" "), lastName: words.at(-1) ?? "" };
}

/** In the place of the mobile that is there; the one to use first stays what it was. */
function withMobile(client: CreateClient, number: string): CreateClient {
  const index = client.phones.findIndex(({ type }) => type === "mobile");
  if (index >= 0)
    return { ...client, phones: client.phones.map((phone, at) => (at === index ? { ...phone, number } : phone)) };
  return { ...client, phones: [...client.phones, { type: "mobile", number, isPreferred: client.phones.length === 0 }] };
}

/** The part that looks like a British postcode is one. */
function addressOf(text: string, country: string): CreateClient["address"] {
  const parts = text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter(Boolean);
  const at = parts.findIndex((part) => /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/i.test(part));
  const lines = at >= 0 ? parts.slice(0, at) : parts;
  return { lines, postcode: parts[at] ?? "", country: (at >= 0 ? parts[at + 1] : undefined) ?? country };
}
