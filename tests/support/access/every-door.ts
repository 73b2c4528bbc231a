// Every way into the server that only reads, and every change of something that is stale, asked about one case: what
// comes back, refusals too. The ways are those of the table of doors, so that a new one is tried by itself.
import { appRouter } from "@app/server/app-router";
import { createLogger } from "@app/server/core/logger";
import type { Actor, Context, Scope } from "@app/server/core/trpc";
import type { CurrentUser } from "@app/shared/users";
import { NOBODY } from "./access-target.ts";
import type { Door, Target } from "./door.ts";
import { DOORS } from "./doors.ts";
import type { TestPerson } from "../server/people.ts";
import { procedures } from "./procedures.ts";
import type { TestApp } from "../server/test-app.ts";

/** Of each kind the ids of what the case has. */
export type CaseIds = { [Field in keyof Target]?: readonly string[] };

/** What no scope of the test's own can answer: they look at who is signed in, and at other services. */
const NOT_OF_A_CASE = /^(auth|subscriptions|practices|support|mailboxes|inbox|imports)\./;
const STALE_VERSION = 999;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A door's input for each thing of the case that it could be about. */
function inputsOf(input: (target: Target) => unknown, ids: CaseIds): unknown[] {
  const base: Target = { ...NOBODY };
  for (const [field, [first]] of entriesOf(ids)) if (first !== undefined) base[field] = first;
  const asked = new Set<string | symbol>();
  const watched = new Proxy(base, {
    get: (target, key) => {
      asked.add(key);
      return Reflect.get(target, key);
    },
  });
  const first = input(watched);
  const others = entriesOf(ids).flatMap(([field, values]) =>
    asked.has(field) ? values.slice(1).map((value) => input({ ...base, [field]: value })) : [],
  );
  return [first, ...others];
}

const FIELDS = Object.keys(NOBODY);
const isField = (key: string): key is keyof Target => FIELDS.includes(key);
const entriesOf = (ids: CaseIds): [keyof Target, readonly string[]][] =>
  Object.entries(ids)
    .flatMap(([key, values]) => (isField(key) ? [[key, values] as const] : []))
    .map(([key, values]) => [key, values]);

/** What is asked of a procedure: all that a reading one takes, and changes of a version that never was. */
function callsOf(path: string, { input, more = [] }: Door, ids: CaseIds): unknown[] {
  const type = procedures[path]?._def.type;
  if (type === "query") return input ? [input, ...more].flatMap((each) => inputsOf(each, ids)) : [undefined];
  if (type !== "mutation" || !input) return [];
  return inputsOf(input, ids)
    .filter((value) => isObject(value) && "version" in value)
    .map((value) => ({ ...(isObject(value) ? value : {}), version: STALE_VERSION }));
}

const SIGNED_IN = { authSessionId: "", confirmedAt: new Date(), isSecondFactorPending: false };

const contextOf = (actor: Actor): Context => ({
  actor,
  standing: { read: () => Promise.resolve(actor), onChange: () => () => undefined },
  requestId: "",
  ip: "127.0.0.1",
  userAgent: "",
  isHeadless: false,
  cookies: "",
  isImpersonating: false,
  setCookie: () => undefined,
  setHeader: () => undefined,
  log: createLogger("silent"),
});

/** The answer of each call, with what was asked; a refusal counts with all its words. */
export async function behindProcedures(scope: Scope, user: CurrentUser, ids: CaseIds): Promise<[string, string][]> {
  const caller: unknown = appRouter.createCaller(contextOf({ ...SIGNED_IN, scope, user }));
  const answers: [string, string][] = [];
  for (const [path, door] of Object.entries(DOORS)) {
    if (door.route || NOT_OF_A_CASE.test(path)) continue;
    for (const input of callsOf(path, door, ids)) answers.push([path, await answerOf(caller, path, input)]);
  }
  return answers;
}

async function answerOf(caller: unknown, path: string, input: unknown): Promise<string> {
  const procedure = path.split(".").reduce<unknown>((at, name) => Reflect.get(Object(at), name), caller);
  if (typeof procedure !== "function") throw new Error(`${path} is no procedure`);
  try {
    return JSON.stringify(await procedure(input)) ?? "";
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `${error.message} ${JSON.stringify(error)}`;
  }
}

/** What this person downloads: headers and bodies. */
export async function behindRoutes(app: TestApp, person: TestPerson, ids: CaseIds): Promise<[string, string][]> {
  const answers: [string, string][] = [];
  for (const [path, { route, access }] of Object.entries(DOORS)) {
    if (route?.method !== "GET" || access === "public") continue;
    for (const address of inputsOf(route.address, ids)) {
      const response = await fetch(`${app.url}${String(address)}`, { headers: { cookie: person.cookies() } });
      const headers = JSON.stringify([...response.headers]);
      answers.push([path, `${headers} ${await response.text()}`]);
    }
  }
  return answers;
}
