import mongoose from "mongoose";
import { expect } from "vitest";
import { aWorkingDay } from "./access-daily.ts";
import { aTarget, CANARY } from "./access-target.ts";
import type { Door, Target } from "./door.ts";
import { DOORS } from "./doors.ts";
import { aPractice, type TestPerson, type TestPractice } from "../server/people.ts";
import { wordsOfPdf } from "../hostile/pdf-text.ts";
import { procedures } from "./procedures.ts";
import { lineOf, putBack, type Snapshot, takeSnapshot } from "../server/stored.ts";
import type { TestApp } from "../server/test-app.ts";

/** Collections whose documents name no practice: they hang on a mail, an address or a file's content. */
const OWNERLESS = new Set(["system_mail_bodies", "rate_limits", "form_tokens", "turns", "paced_mails", "blobs.chunks"]);

export const doorOf = (path: string): Door => DOORS[path] ?? { access: "owner" };

/** The paths of every procedure that is not open to the public; those of streams stay open once they are. */
export const guarded = Object.keys(procedures).filter(
  (path) => doorOf(path).access !== "public" && procedures[path]?._def.type !== "subscription",
);

/** Every route outside the router that is not open to the public. */
export const guardedRoutes = Object.keys(DOORS).filter(
  (name) => doorOf(name).route && doorOf(name).access !== "public",
);

/** Calls by path, as a program would that does not know the page, and gives the error code or OK. */
export async function call(
  app: TestApp,
  person: TestPerson,
  path: string,
  input?: unknown,
): Promise<{ code: string; text: string }> {
  const isQuery = procedures[path]?._def.type === "query";
  const query = isQuery && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : "";
  const response = await fetch(`${app.url}/trpc/${path}${query}`, {
    method: isQuery ? "GET" : "POST",
    headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/json" },
    body: isQuery ? null : JSON.stringify(input ?? null),
  });
  return answerOf(response);
}

/** Headers and body as one text; of a PDF its words. */
async function answerOf(response: Response): Promise<{ code: string; text: string }> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isPdf = response.headers.get("content-type") === "application/pdf";
  const body = isPdf ? await wordsOfPdf(bytes) : new TextDecoder().decode(bytes);
  const code = /"data":\{"code":"(\w+)"/.exec(body)?.[1];
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  return { code: code ?? (response.ok ? "OK" : String(response.status)), text: `${headers}\n\n${body}` };
}

/** Asks for a route outside the router, and gives the same answer as `call`. */
export async function callRaw(app: TestApp, person: TestPerson, path: string, target: Target) {
  const { method = "GET", body: bodyOf = null, contentType = "", address } = doorOf(path).route ?? {};
  const body = typeof bodyOf === "function" ? bodyOf(target) : bodyOf;
  const headers = { origin: app.url, "sec-fetch-site": "same-origin", cookie: person.cookies() };
  const type = body === null ? {} : { "content-type": contentType };
  const response = await fetch(`${app.url}${address?.(target) ?? ""}`, {
    method,
    headers: { ...headers, ...type },
    body,
  });
  return answerOf(response);
}

type Call = (person: TestPerson) => Promise<{ code: string; text: string }>;

/** The calls of a path that aim at what one practice keeps, each with the code that a stranger and the owner get. */
function callsOf(app: TestApp, path: string, target: Target): { call: Call; refused: string; code: string }[] {
  const { route, input, more = [], stranger, passedGatesWith } = doorOf(path);
  const codes = (code = "OK") => ({
    refused: stranger === "missing" ? "NOT_FOUND" : stranger === "forbidden" ? "FORBIDDEN" : code,
    code,
  });
  if (route) return [{ call: (person) => callRaw(app, person, path, target), ...codes(passedGatesWith) }];
  return [input, ...more].map((inputOf, index) => ({
    call: (person) => call(app, person, path, inputOf?.(target)),
    ...codes(index === 0 ? passedGatesWith : undefined),
  }));
}

/** An input with a version that nobody's screen has any more, where it has one. */
const outdated = (input: unknown): unknown[] =>
  typeof input === "object" && input !== null && "version" in input ? [{ ...input, version: 999 }] : [];

/** Every way to knock at a door, each aimed at what the practice keeps: with each input, and with outdated versions. */
export function knock(app: TestApp, name: string, target: Target): Call[] {
  const { route, input, more = [] } = doorOf(name);
  if (route) return [(person) => callRaw(app, person, name, target)];
  const inputs = [input, ...more].map((inputOf) => inputOf?.(target));
  return [...inputs, ...inputs.flatMap(outdated)].map((each) => (person) => call(app, person, name, each));
}

interface Watching {
  /** Both practices stand, and the first call comes next. */
  begin?: () => void;
  /** Who calls now; empty between calls. */
  calling?: (ownerId: string) => void;
}

/**
 * Calls a procedure or raw route with inputs aimed at what one practice keeps, first as another practice and then as
 * its owner: the stranger gets and changes nothing of it, and the owner gets through.
 */
export async function strangerReachesNothing(
  app: TestApp,
  path: string,
  { begin, calling }: Watching = {},
): Promise<void> {
  const { practice, stranger, target, asMade } = (standing ??= await twoPractices(app));
  await putBack(asMade);
  begin?.();
  let before = asMade;
  const { prepare } = doorOf(path);
  for (const { call: callAs, refused, code } of callsOf(app, path, target)) {
    if (prepare) {
      await prepare(target);
      before = await takeSnapshot();
    }
    const as = async (person: TestPractice) => {
      calling?.(person.ownerId);
      try {
        return await callAs(person);
      } finally {
        calling?.("");
      }
    };
    const answer = await as(stranger);
    expect(answer.code).toBe(refused);
    expect(answer.text).not.toContain(CANARY);
    const named = answer.text.match(/Quillfeather \d+/g) ?? [];
    expect(named).toEqual(named.map(() => stranger.practiceName));
    const between = await takeSnapshot();
    expect(textsBut(stranger, between)).toEqual(textsBut(stranger, before));
    expect((await as(practice)).code).toBe(code);
    const after = await takeSnapshot();
    expect(textsBut(practice, after)).toEqual(textsBut(practice, between));
    before = after;
  }
}

interface TwoPractices {
  practice: TestPractice;
  stranger: TestPractice;
  target: Target;
  asMade: Snapshot;
}

/** Made once; after each call everything is put back. */
let standing: TwoPractices | undefined;

async function twoPractices(app: TestApp): Promise<TwoPractices> {
  await putBack([]);
  const practice = await aPractice(app);
  const stranger = await aPractice(app);
  const target = await aTarget(app, practice);
  await aWorkingDay(practice, target, CANARY);
  await mongoose.connection
    .collection<{ _id: string }>("settings")
    .updateOne({ _id: practice.ownerId }, { $set: { case_number_prefix: "CNRY", time_zone: "Australia/Sydney" } });
  return { practice, stranger, target, asMade: await takeSnapshot() };
}

/** All that is stored of anybody else or of nobody. */
const textsBut = ({ ownerId }: TestPractice, snapshot: Snapshot): string[] =>
  snapshot
    .filter(({ collection, document: { _id, ownerId: owner, owner_id: customer, filename } }) => {
      // The contents of files are named by their practice.
      const isOwn = [_id, owner, customer].includes(ownerId) || String(filename).startsWith(`${ownerId}:`);
      return !isOwn && !OWNERLESS.has(collection);
    })
    .map(lineOf);
