// The first promise: what belongs to one party never reaches the other, by any way out of the product.
import type { Scope } from "@app/server/core/trpc";
import { queueMail } from "@app/server/features/outbox/outbox.service";
import { openFor, sealFor } from "@app/server/features/visibility/for-party.service";
import { createNote } from "@app/server/features/notes/notes.service";
import { newId } from "@app/server/core/ids";
import { type Permission, PERMISSIONS } from "@app/shared/access";
import type { CurrentUser } from "@app/shared/users";
import { forParty, type Visibility } from "@app/shared/visibility";
import { richTextOf } from "@app/shared/rich-text";
import { TRPCError } from "@trpc/server";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { checkComposed } from "./support/mail/composed-mail.ts";
import { GUARD_LINES } from "./support/access/guard-lines.ts";
import { idsOf, type Outlets, outletsTo, outletsToStaff } from "./support/visibility/outlets.ts";
import {
  aPractice,
  aStaffUser,
  PASSWORD,
  scopeOf,
  type TestPerson,
  type TestPractice,
} from "./support/server/people.ts";
import { behindProcedures, behindRoutes } from "./support/access/every-door.ts";
import { pdfText } from "./support/hostile/pdf-text.ts";
import {
  A_FULL_CASE,
  aRandomCase,
  build,
  type BuiltCase,
  type RandomCase,
  type Secret,
} from "./support/visibility/random-case.ts";
import { rememberReads } from "./support/visibility/remembered-reads.ts";
import { authorise } from "./support/server/assessments.ts";
import { startTestApp } from "./support/server/test-app.ts";
import { forAllTests } from "./support/server/lifetimes.ts";

/** Others each time; 500 at a time for the whole: scripts/test-long.ts. */
const CASES = Number(process.env["VISIBILITY_CASES"] ?? 100);
/** So many cases show that a guard is missing: most of them show it at once. */
const CASES_WITHOUT_GUARD = 40;
const PDF_OF_EACH = 10;
/** Composing tries every file with every party, which takes longer than all the rest. */
const COMPOSED_OF_EACH = 15;
/** What is not a part of the preview and the record: who somebody is stands in other places. */
const ASIDE = new Set<Secret["kind"]>(["person", "contact"]);
/** In a practice of its own each, because nobody has thousands of cases at once and searching them takes its time. */
const CASES_OF_A_PRACTICE = 25;
const CASE_LIMIT_MS = 30_000;
const GUARD_LIMIT_MS = 300_000;
const ALL_BUT_PRIVATE = PERMISSIONS.filter((each) => each !== "notes.private.read" && each !== "assigned_only");

/** Read with permissions of their own; a suspicion by nobody but its author, here the owner. */
const OF_SAFETY = new Set<Secret["kind"]>(["screening", "safeguarding", "suspicion"]);
const SAFETY_PERMISSIONS = new Set<Permission>(["screening.read", "safeguarding.read"]);

let removed = "";
globalThis.isKept = (name) => name !== removed;

const app = forAllTests(startTestApp);
rememberReads();

interface House {
  practice: TestPractice;
  owner: Scope;
  mediatorId: string;
  mediatorUser: CurrentUser;
  /** Sees every case and may do all that there is to do, but read private notes. */
  colleague: TestPerson;
}

/** A practice with somebody beside its owner. */
async function aHouse(): Promise<House> {
  const practice = await aPractice(app);
  const mediator = await aStaffUser(app, practice, { role: 2 });
  const { items } = await practice.api.staff.list.query();
  const mediatorId = items.find(({ email }) => email === mediator.email)?.id ?? "";
  await authorise(practice);
  const { user } = await mediator.api.auth.status.query();
  if (!user) throw new Error("the mediator is not signed in");
  const colleague = await aStaffUser(app, practice, { permissions: ALL_BUT_PRIVATE });
  return { practice, owner: scopeOf(practice.ownerId), mediatorId, mediatorUser: user, colleague };
}

/** Somebody of the practice, with what decides what they may read. */
const staff = ({ owner }: House, mayReadPrivate: boolean, userId: string): Scope => ({
  ...owner,
  userId,
  role: 2,
  permissions: mayReadPrivate ? [...ALL_BUT_PRIVATE, "notes.private.read"] : ALL_BUT_PRIVATE,
});

/** What each of these ways lets out, in small letters. */
async function opened(outlets: Outlets): Promise<[string, string][]> {
  const texts: [string, string][] = [];
  for (const [name, open] of Object.entries(outlets)) texts.push([name, JSON.stringify(await open()).toLowerCase()]);
  return texts;
}

const isShownTo = ({ kind, readers, shownTo = readers }: Secret, partyId: string): boolean =>
  !ASIDE.has(kind) && shownTo.has(partyId);

const canariesIn = (text: string, secrets: readonly Secret[]): string[] =>
  secrets.filter(({ canary }) => text.includes(canary)).map(({ canary }) => canary);

/** Each party comes to know what is for them, and by no way anything else. */
async function checkParties({ owner }: House, built: BuiltCase): Promise<void> {
  for (const { partyId } of built.theCase.parties) {
    // Not even whoever a draft is for reads it before it is finished.
    const forbidden = built.secrets.filter(({ kind, readers }) => kind === "document" || !readers.has(partyId));
    const allowed = built.secrets.filter((secret) => isShownTo(secret, partyId));
    for (const [name, text] of await opened(outletsTo(owner, built, partyId))) {
      const own = name === "receipts" ? built.secrets.filter(({ writtenBy }) => writtenBy === partyId) : [];
      const leaked = canariesIn(
        text,
        forbidden.filter((secret) => !own.includes(secret)),
      );
      expect({ name, leaked }).toEqual({ name, leaked: [] });
      expect(canariesIn(text, own)).toHaveLength(own.length);
      if (name === "meetings") checkMeeting(built, partyId, text);
      if (name === "history") expect(text).not.toContain("shuttle");
      if (name === "mail" && !built.remindedIds.has(partyId)) expect(text).not.toContain("reminder");
      if (name === "preview") expect(canariesIn(text, allowed)).toEqual(allowed.map(({ canary }) => canary));
    }
  }
}

/** They are told of the meeting as their invitation told them of it. */
function checkMeeting({ arrivals, restrictedIds }: BuiltCase, partyId: string, text: string): void {
  const startsAt = arrivals.get(partyId);
  if (startsAt === undefined) return;
  expect(text).toContain(startsAt.toLowerCase());
  expect(text).toContain(restrictedIds.has(partyId) ? '"appointment"' : '"mediation"');
}

/** People of the practice see what their part in the case and their permissions allow. */
async function checkStaff(house: House, built: BuiltCase): Promise<void> {
  const { mediatorId } = house;
  const kept = built.secrets.filter(({ kind }) => kind !== "person" && kind !== "practice");
  for (const userId of [mediatorId, "somebody-else"]) {
    for (const mayReadPrivate of [true, false]) {
      const forbidden = kept.filter(
        ({ kind, visibility }) => OF_SAFETY.has(kind) || !isForStaff(visibility, userId === mediatorId, mayReadPrivate),
      );
      if (forbidden.length === 0) continue;
      for (const [name, text] of await opened(outletsToStaff(staff(house, mayReadPrivate, userId), built, kept)))
        expect({ name, leaked: canariesIn(text, forbidden) }).toEqual({ name, leaked: [] });
    }
  }
}

/** Nothing that is not theirs comes out of any door; each case is tried by one of those whose rights differ. */
async function checkDoors(house: House, built: BuiltCase, number: number): Promise<void> {
  const { mediatorId, mediatorUser } = house;
  const userId = number % 2 === 0 ? mediatorId : "somebody-else";
  const mayReadPrivate = number % 4 >= 2;
  const mayReadSafety = number % 8 >= 4;
  const kept = built.secrets.filter(({ kind }) => kind !== "person" && kind !== "practice");
  const forbidden = kept.filter(({ kind, visibility }) =>
    OF_SAFETY.has(kind)
      ? kind === "suspicion" || !mayReadSafety
      : !isForStaff(visibility, userId === mediatorId, mayReadPrivate),
  );
  const scope = staff(house, mayReadPrivate, userId);
  const permissions = scope.permissions.filter((each) => mayReadSafety || !SAFETY_PERMISSIONS.has(each));
  const answers = await behindProcedures({ ...scope, permissions }, mediatorUser, await idsOf(built));
  for (const [name, text] of answers)
    expect({ name, leaked: canariesIn(text.toLowerCase(), forbidden) }).toEqual({ name, leaked: [] });
}

function isForStaff({ scope, aboutPartyIds }: Visibility, isMediator: boolean, mayReadPrivate: boolean): boolean {
  if (scope === "mediator") return isMediator && mayReadPrivate;
  return mayReadPrivate || scope !== "staff" || aboutPartyIds.length === 0;
}

/** What a mail to a party holds is refused exactly where they may not read it, in words that tell nothing of it. */
async function checkMail({ owner }: House, { theCase, secrets }: BuiltCase): Promise<void> {
  const items = secrets.filter(({ kind }) => kind !== "person" && kind !== "document");
  for (const { partyId } of theCase.parties) {
    const mayRead = items.filter(({ readers }) => readers.has(partyId));
    expect(await refusal(mail(owner, theCase, { partyId, secrets: mayRead }))).toBeNull();
    for (const secret of items) {
      if (mayRead.includes(secret)) continue;
      const message = await refusal(mail(owner, theCase, { partyId, secrets: [...mayRead, secret] }));
      expect(message).toContain("PARTY_LEAK");
      expect(message).not.toContain(secret.canary);
    }
  }
  const toNobody = { partyId: "no-party", secrets: [] };
  expect(await refusal(mail(owner, theCase, toNobody))).toContain("PARTY_LEAK");
}

async function mail(
  owner: Scope,
  theCase: BuiltCase["theCase"],
  { partyId, secrets }: { partyId: string; secrets: Secret[] },
) {
  const content = {
    toName: "A party",
    to: "party@example.org",
    subject: "A letter",
    text: secrets.map(({ canary }) => canary).join(" "),
    attachments: [],
  };
  return queueMail(owner, {
    purpose: "letter",
    content: sealFor({ theCase, partyId }, content, secrets),
  });
}

/** What was made for one party opens for no other. */
function checkSeals({ theCase }: BuiltCase): void {
  for (const { partyId } of theCase.parties)
    for (const other of theCase.parties) {
      const open = () => openFor(sealFor({ theCase, partyId }, "a letter", []), { partyId: other.partyId });
      if (other.partyId === partyId) expect(open()).toBe("a letter");
      else expect(open).toThrow("PARTY_LEAK");
    }
}

/** A note is never written for the eyes of somebody who is no party of the case. */
async function checkReaders({ owner }: House, { theCase }: BuiltCase): Promise<void> {
  const note = { id: newId(), kind: "file_note" as const, body: richTextOf("x"), caseId: theCase.id, clientId: null };
  expect(await refusal(createNote(owner, { ...note, visibility: forParty("no-party") }))).toContain("not a party");
}

async function refusal(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof TRPCError) return error.message;
    throw error;
  }
}

interface How {
  isComposed?: boolean;
  number?: number;
}

async function check(house: House, random: RandomCase, how: How = {}): Promise<BuiltCase> {
  const { owner, mediatorId } = house;
  const built = await build(owner, random, [owner.userId, mediatorId]);
  await checkBuilt(house, built, how);
  return built;
}

async function checkBuilt(house: House, built: BuiltCase, { isComposed = true, number = 0 }: How = {}): Promise<void> {
  const { owner } = house;
  // What is quickly found out comes first: most guards are missed at once.
  await checkReaders(house, built);
  checkSeals(built);
  await checkMail(house, built);
  if (isComposed) await checkComposed(owner, built, refusal);
  await checkParties(house, built);
  await checkStaff(house, built);
  await checkDoors(house, built, number);
}

const portions = Array.from({ length: Math.ceil(CASES / CASES_OF_A_PRACTICE) }, (_, index) => ({
  part: index + 1,
  cases: Math.min(CASES_OF_A_PRACTICE, CASES - index * CASES_OF_A_PRACTICE),
}));

test.concurrent.each(portions)(
  "visibility: in $cases random cases (part $part), whatever leaves holds nothing of another's",
  { timeout: portions.length * CASES_OF_A_PRACTICE * CASE_LIMIT_MS },
  async ({ cases }) => {
    const house = await aHouse();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(aRandomCase, async (random) => {
        const built = await check(house, random, { isComposed: count % COMPOSED_OF_EACH === 0, number: count });
        count += 1;
        if (count % PDF_OF_EACH === 0) await checkDocuments(house, built);
      }),
      { numRuns: cases, endOnFailure: true },
    );
  },
);

const IS_STORED_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What is printed for a party, and what the practice's calendars and tables show to whoever subscribes or exports. */
async function checkDocuments({ practice, colleague }: House, built: BuiltCase): Promise<void> {
  // Long runs take longer than a record is handed out without asking again who sits there.
  await practice.api.auth.confirmIdentity.mutate({ password: PASSWORD });
  const { theCase, secrets } = built;
  for (const { partyId, clientId } of theCase.parties) {
    const forbidden = secrets.filter(({ readers }) => !readers.has(partyId));
    // On paper a day stands in words.
    const own = secrets.filter((secret) => isShownTo(secret, partyId) && !IS_STORED_DAY.test(secret.canary));
    const text = await pdfText(app, practice, `/export/clients/${clientId}.pdf`);
    expect(canariesIn(text, forbidden)).toEqual([]);
    expect(canariesIn(text, own)).toEqual(own.map(({ canary }) => canary));
  }
  await checkPapers(practice, built);
  checkDownloads(await behindRoutes(app, colleague, await idsOf(built)), built);
}

/** The invoice of each party on paper. */
async function checkPapers(practice: TestPractice, { theCase, secrets }: BuiltCase): Promise<void> {
  const { items } = await practice.api.invoices.list.query({ caseId: theCase.id });
  for (const { id, state, payer } of items) {
    const text = await pdfText(app, practice, `/export/invoices/${id}.pdf`);
    const isOwn = ({ readers }: Secret) => payer.kind === "party" && readers.has(payer.partyId);
    const others = secrets.filter((secret) => secret.kind === "invoice" && !isOwn(secret));
    const own =
      state === "draft" || payer.kind !== "party" ? [] : secrets.filter(({ kind }) => kind === "invoice").filter(isOwn);
    if (payer.kind === "party") expect(canariesIn(text, others)).toEqual([]);
    expect(canariesIn(text, own)).toHaveLength(own.length);
  }
}

/** What the staff may not read stands in no download either. */
function checkDownloads(answers: [string, string][], { secrets }: BuiltCase): void {
  const kept = secrets.filter(({ kind }) => kind !== "person" && kind !== "practice");
  const forbidden = kept.filter(({ kind, visibility }) => OF_SAFETY.has(kind) || !isForStaff(visibility, false, false));
  for (const [name, text] of answers)
    expect({ name, leaked: canariesIn(text.toLowerCase(), forbidden) }).toEqual({ name, leaked: [] });
}

const failureOf = (checking: Promise<unknown>): Promise<unknown> =>
  checking.then(
    () => null,
    (error: unknown) => error,
  );

/** What fails for one of many cases, beginning with the full one; null where none does. */
async function failureByChance(house: House): Promise<unknown> {
  let number = 0;
  const property = fc.asyncProperty(aRandomCase, async (random) => {
    await check(house, random, { isComposed: number % COMPOSED_OF_EACH === 0, number });
    number += 1;
  });
  const tried = {
    examples: [[A_FULL_CASE] as [RandomCase]],
    numRuns: CASES_WITHOUT_GUARD,
    seed: 1,
    endOnFailure: true,
  };
  return (await fc.check(property, tried)).errorInstance ?? null;
}

function never(): never {
  throw new Error("no random case");
}

describe("of one practice", () => {
  let house: House;
  beforeAll(async () => {
    house = await aHouse();
  });

  test("visibility: a calendar that others keep names nobody", async () => {
    const { practice, owner } = house;
    const built = await build(owner, fc.sample(aRandomCase, { numRuns: 1, seed: 7 })[0] ?? never(), [owner.userId]);
    const { address } = await practice.api.meetings.makeFeed.mutate({ level: "initials" });
    const response = await fetch(`${app.url}${new URL(address).pathname}`);
    const ics = (await response.text()).toLowerCase();
    expect(ics).toContain("begin:vevent");
    expect(canariesIn(ics, built.secrets)).toEqual([]);
  });

  test("visibility: who sees only their own cases finds, exports and counts nothing of any other", async () => {
    const { practice, owner } = house;
    const built = await build(owner, fc.sample(aRandomCase, { numRuns: 1, seed: 8 })[0] ?? never(), [owner.userId]);
    const person = await aStaffUser(app, practice, {
      permissions: ["clients.read", "data.export", "mail.read", "assigned_only"],
    });
    const cookie = { cookie: person.cookies() };
    const texts = await Promise.all([
      ...built.secrets.map(async ({ canary }) => JSON.stringify(await person.api.search.find.query({ text: canary }))),
      person.api.dashboard.get.query().then((answer) => JSON.stringify(answer)),
      person.api.cases.list.query({ page: 1, search: "" }).then((answer) => JSON.stringify(answer)),
      person.api.tasks.list.query({ page: 1, assignee: "anyone" }).then((answer) => JSON.stringify(answer)),
      fetch(`${app.url}/export/clients.csv`, { headers: cookie }).then((response) => response.text()),
      fetch(`${app.url}/export/clients/${built.theCase.parties[0]?.clientId}.pdf`, { headers: cookie }).then(
        (response) => response.text(),
      ),
    ]);
    for (const text of texts) expect(canariesIn(text.toLowerCase(), built.secrets)).toEqual([]);
  });

  /** Built with every guard; most show on it at once that they are missing. */
  let full: BuiltCase;

  test(
    "visibility: with every guard the full case holds, so that each of these fails for want of its guard",
    { timeout: GUARD_LIMIT_MS },
    async () => {
      full = await check(house, A_FULL_CASE);
      await checkBuilt(house, full);
    },
  );

  test.each(Object.keys(GUARD_LINES))(
    "visibility: without the guard “%s” the check fails",
    { timeout: GUARD_LIMIT_MS },
    async (name) => {
      removed = name;
      try {
        const error = (await failureOf(checkBuilt(house, full))) ?? (await failureByChance(house));
        // Not a mistake in what is tried.
        expect(error).toMatchObject({ name: expect.stringMatching(/^(AssertionError|TRPCError)$/) });
      } finally {
        removed = "";
      }
    },
  );
});
