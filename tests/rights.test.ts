// Somebody worked on a case and was taken off it: from then on every door is as shut as for a stranger.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { storeFile } from "@app/server/features/files/files.service";
import { PERMISSIONS } from "@app/shared/access";
import { richTextOf } from "@app/shared/rich-text";
import { beforeAll, describe, expect, test } from "vitest";
import { call, callRaw, doorOf, guarded, guardedRoutes } from "./support/access/access-scenario.ts";
import { aTarget, CANARY } from "./support/access/access-target.ts";
import type { Target } from "./support/access/door.ts";
import {
  aMeetingInput,
  aPractice,
  aStaffUser,
  scopeOf,
  type TestPerson,
  type TestPractice,
} from "./support/server/people.ts";
import { lineOf, takeSnapshot } from "./support/server/stored.ts";
import { startTestApp } from "./support/server/test-app.ts";
import { forAllTests } from "./support/server/lifetimes.ts";

/**
 * What is the practice's as a whole, whoever works on which case: templates, forms, booking links that are no client's,
 * rooms, prices, the logo, and who wants no mailings. Of a form its questions are, so its table of answers is looked at by itself.
 */
const OF_THE_PRACTICE =
  /^(mailTemplates|documentTemplates|forms|rooms|prices|mailings\.(add|list|remove)Suppression|bookings\.(depositChoices|listLinks|(get|update)Link|setLinkArchived)|submissions\.(forms|generalAddress|inProgress)|GET \/export\/form-answers\.|GET \/practice-logo\/)/;
/** A conflict that is not shown is not seen: this search looks at every record, for whoever sees only their own. */
const LOOKS_AT_ALL = new Set(["conflicts.search"]);
/** What a person does to their own account. */
const OWN_ACCOUNT = /^(auth|users)\./;

const doors = [...guarded, ...guardedRoutes].filter(
  (path) => !OF_THE_PRACTICE.test(path) && !LOOKS_AT_ALL.has(path) && !OWN_ACCOUNT.test(path),
);
const MEDIATORS_WORD = "Onlymediators";
const EVERYTHING = PERMISSIONS.filter((permission) => permission !== "assigned_only");

let practice: TestPractice;
let target: Target;
const app = forAllTests(startTestApp);
beforeAll(async () => {
  await stopJobs();
  practice = await aPractice(app);
  target = await aTarget(app, practice);
});

async function idOf({ api }: TestPerson): Promise<string> {
  return (await api.auth.status.query()).user?.userId ?? "";
}

/** Says who works on the case, as the owner does on its page. */
async function setTeam(team: { mediators?: string[]; staffIds?: string[] }): Promise<void> {
  const { api } = practice;
  const theCase = await api.cases.get.query({ id: target.caseId });
  const { domain, issueScope, matter, format, children, referral, flags, startedOn, nextReviewOn, version } = theCase;
  await api.casework.update.mutate({
    domain,
    issueScope,
    matter,
    format,
    children,
    referral,
    flags,
    startedOn,
    nextReviewOn,
    version,
    id: theCase.id,
    mediators: (team.mediators ?? []).map((userId, index) => ({ userId, isLead: index === 0 })),
    staffIds: team.staffIds ?? [],
  });
}

async function answersOf(person: TestPerson, path: string): Promise<{ code: string; text: string }[]> {
  const { route, input, more = [] } = doorOf(path);
  if (route) return [await callRaw(app, person, path, target)];
  const answers = [];
  for (const inputOf of [input, ...more]) answers.push(await call(app, person, path, inputOf?.(target)));
  return answers;
}

const canariesKept = async () => (await takeSnapshot()).map(lineOf).filter((line) => line.includes(CANARY));

describe("somebody who sees only their own cases", () => {
  let person: TestPerson;
  let feed = "";
  beforeAll(async () => {
    person = await aStaffUser(app, practice, { permissions: [...EVERYTHING, "assigned_only"] });
    const userId = await idOf(person);
    await setTeam({ staffIds: [userId] });
    expect((await person.api.clients.get.query({ id: target.clientId })).lastName).toBe(CANARY);
    const address = await person.api.meetings.makeFeed.mutate({ level: "full" });
    feed = new URL(address.address).pathname;
    await person.api.tasks.create.mutate({
      id: newId(),
      caseId: target.caseId,
      clientId: target.clientId,
      title: `${CANARY} task`,
      dueOn: "2026-01-01",
      assigneeId: userId,
    });
    await person.api.compose.saveDraft.mutate({
      clientId: target.clientId,
      caseId: target.caseId,
      to: [],
      cc: [],
      subject: CANARY,
      body: richTextOf(CANARY),
      fileIds: [],
      meetingId: null,
      inReplyTo: "",
      references: [],
      kept: { id: newId(), version: 0, windowId: newId() },
    });
    await person.api.meetings.create.mutate(
      aMeetingInput(userId, {
        caseId: target.caseId,
        partyIds: [target.partyId],
        title: CANARY,
        startsAt: new Date(Date.now() + 3 * 86_400_000).toISOString(),
      }),
    );
    expect(await (await fetch(app.url + feed)).text()).toContain(CANARY);
  });

  test("S71: while they work on the case, what hangs on it is theirs to see", async () => {
    const seen = [
      "clients.get",
      "cases.get",
      "notes.list",
      "tasks.list",
      "outbox.list",
      "meetings.get",
      "GET /files/:id",
    ];
    for (const path of seen) {
      const [answer] = await answersOf(person, path);
      expect({ path, hasCanary: answer?.text.includes(CANARY) }).toEqual({ path, hasCanary: true });
    }
  });

  describe("taken off the case", () => {
    beforeAll(() => setTeam({}));

    test("S71: their calendar feed says that the time is taken, and no more", async () => {
      const ics = await (await fetch(app.url + feed)).text();
      expect(ics).toContain("Busy");
      expect(ics).not.toContain(CANARY);
      expect(ics).not.toContain("Mediation");
    });

    test("S71: the table of answers to a form, when it is exported, holds its questions and nobody's answers", async () => {
      const { code, text } = await callRaw(app, person, "GET /export/form-answers.csv", target);
      expect(code).toBe("OK");
      expect(text.split("\r\n").filter((line) => line.includes(CANARY))).toHaveLength(1);
      expect(text.trimEnd()).toMatch(/Sent in,Client,Status,[^\r\n]*$/);
    });

    test.each(doors)("S71: %s answers as it answers a stranger, and changes nothing", async (path) => {
      const before = await canariesKept();
      for (const { code, text } of await answersOf(person, path)) {
        expect(text).not.toContain(CANARY);
        const { access, stranger } = doorOf(path);
        if (access === "owner") expect(code).toBe("FORBIDDEN");
        else if (stranger === "missing") expect(code).toBe("NOT_FOUND");
      }
      const own = (line: string) => /^(mail_drafts|calendar_feeds) /.test(line);
      expect((await canariesKept()).filter((line) => !own(line))).toEqual(before.filter((line) => !own(line)));
    });
  });
});

describe("a mediator who sees the whole practice", () => {
  let person: TestPerson;
  beforeAll(async () => {
    person = await aStaffUser(app, practice, { role: 2, permissions: [...EVERYTHING] });
    const userId = await idOf(person);
    await setTeam({ mediators: [userId] });
    const visibility = { scope: "mediator" as const, partyIds: [], aboutPartyIds: [] };
    const note = await person.api.notes.create.mutate({
      id: newId(),
      caseId: target.caseId,
      clientId: null,
      kind: "private",
      visibility,
      body: richTextOf(MEDIATORS_WORD),
    });
    const file = await storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(MEDIATORS_WORD)]), {
      name: `${MEDIATORS_WORD}.txt`,
      clientId: target.clientId,
      caseId: target.caseId,
      visibility,
    });
    target = { ...target, noteId: note.id, fileId: file.id };
    for (const path of ["notes.get", "GET /files/:id"])
      expect((await answersOf(person, path))[0]?.text).toContain(MEDIATORS_WORD);
  });

  describe("taken off the case", () => {
    beforeAll(() => setTeam({}));

    test.each(doors)("S71: %s tells them nothing that only its mediators read", async (path) => {
      for (const { text } of await answersOf(person, path)) expect(text).not.toContain(MEDIATORS_WORD);
    });

    test("S71: they cannot come back by naming themselves", async () => {
      const theCase = await person.api.cases.get.query({ id: target.caseId });
      const { domain, issueScope, matter, format, children, referral, flags, startedOn, nextReviewOn, version } =
        theCase;
      const fields = { domain, issueScope, matter, format, children, referral, flags, startedOn, nextReviewOn };
      const mediators = [{ userId: await idOf(person), isLead: true }];
      await expect(
        person.api.casework.update.mutate({ ...fields, mediators, staffIds: [], id: theCase.id, version }),
      ).rejects.toThrow("Only the owner of the practice or a mediator of this case");
    });
  });
});
