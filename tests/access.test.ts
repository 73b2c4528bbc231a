import { Readable } from "node:stream";
import { queueMail } from "@app/server/features/mail/outbox.service";
import { newId } from "@app/server/core/ids";
import { storeFile } from "@app/server/features/files/files.service";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { PERMISSIONS } from "@app/shared/access";
import { richTextOf } from "@app/shared/rich-text";
import { caucusOf } from "@app/shared/visibility";
import mongoose from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Fixture, Target } from "./support/access-fixture.ts";
import { ACCESS } from "./support/access-fixtures.ts";
import {
  aCaseInput,
  aClient,
  aMeetingInput,
  aPractice,
  aStaffUser,
  aVisitor,
  scopeOf,
  type TestPerson,
  type TestPractice,
} from "./support/people.ts";
import { procedures } from "./support/procedures.ts";
import { startTestApp, type TestApp } from "./support/test-app.ts";

const CANARY = "Canarywharf";
/** Collections whose documents are no practice's: keyed by mail, by address or by job. */
const OWNERLESS = new Set(["system_mail_bodies", "rate_limits", "jobs"]);
const only = process.env["ACCESS_ONLY"];
const paths = Object.keys(procedures).filter((path) => !only || path.startsWith(only));
const guarded = paths.filter(
  (path) => ACCESS[path]?.access !== "public" && procedures[path]?._def.type !== "subscription",
);
const fixtureOf = (path: string): Fixture => ACCESS[path] ?? { access: "owner" };

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Calls by path, as a program would that does not know the page, and gives the error code or OK. */
async function call(person: TestPerson, path: string, input?: unknown): Promise<{ code: string; text: string }> {
  const isQuery = procedures[path]?._def.type === "query";
  const query = isQuery && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : "";
  const response = await fetch(`${app.url}/trpc/${path}${query}`, {
    method: isQuery ? "GET" : "POST",
    headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/json" },
    body: isQuery ? null : JSON.stringify(input ?? null),
  });
  const text = await response.text();
  const code = /"data":\{"code":"(\w+)"/.exec(text)?.[1];
  return { code: code ?? (response.ok ? "OK" : String(response.status)), text };
}

test("access: every procedure has an entry, and the entry says what the procedure says", () => {
  expect(paths.filter((path) => !ACCESS[path])).toEqual([]);
  for (const path of paths) {
    const { access = "public", permission } = procedures[path]?._def.meta ?? {};
    expect({ path, access, permission }).toEqual({
      path,
      access: fixtureOf(path).access,
      permission: fixtureOf(path).permission,
    });
  }
});

test.each(guarded)("%s: somebody who is not signed in is refused before the input is looked at", async (path) => {
  expect((await call(aVisitor(app), path, { $ne: null })).code).toBe("UNAUTHORIZED");
});

describe("without a subscription", () => {
  let practice: TestPractice;
  beforeAll(async () => {
    practice = await aPractice(app);
    await mongoose.connection
      .collection<{ _id: string }>("customers")
      .updateOne({ _id: practice.ownerId }, { $set: { "subscriptions.0.status": "past_due" } });
  });

  test.each(guarded)("%s: answers by its own rule", async (path) => {
    const { code } = await call(practice, path, { $ne: null });
    if (fixtureOf(path).access === "protected") expect(["PAYMENT_REQUIRED", "UNAUTHORIZED"]).not.toContain(code);
    else expect(code).toBe("PAYMENT_REQUIRED");
  });
});

describe("staff", () => {
  let practice: TestPractice;
  let unpermitted: TestPerson;
  beforeAll(async () => {
    practice = await aPractice(app);
    unpermitted = await aStaffUser(app, practice, { permissions: [] });
  });

  test.each(guarded.filter((path) => fixtureOf(path).access !== "protected"))(
    "%s: staff without any permission are refused",
    async (path) => {
      expect((await call(unpermitted, path, { $ne: null })).code).toBe("FORBIDDEN");
    },
  );

  test.each(PERMISSIONS.filter((permission) => permission !== "assigned_only"))(
    "staff who lack only %s are refused exactly what it guards",
    async (missing) => {
      const staff = await aStaffUser(app, practice, {
        permissions: PERMISSIONS.filter((each) => each !== missing && each !== "assigned_only"),
      });
      for (const path of guarded) {
        const { access, permission } = fixtureOf(path);
        if (access === "protected") continue;
        const { code } = await call(staff, path, { $ne: null });
        const isRefused = access === "owner" || permission === missing;
        expect({ path, isRefused: code === "FORBIDDEN" }).toEqual({ path, isRefused });
      }
    },
  );
});

describe("another practice", () => {
  let practice: TestPractice;
  let stranger: TestPractice;
  let target: Target;
  beforeEach(async () => {
    practice = await aPractice(app);
    stranger = await aPractice(app);
    target = await aTarget(practice);
  });

  async function aTarget(owner: TestPractice): Promise<Target> {
    const client = await owner.api.clients.create.mutate(aClient({ lastName: CANARY }));
    const staff = await aStaffUser(app, owner);
    await owner.api.users.invite.mutate({
      email: `${CANARY}${Math.random()}@example.org`,
      firstName: CANARY,
      lastName: "Invited",
      role: 3,
    });
    const { items } = await owner.api.users.list.query();
    const [device] = await owner.api.auth.listDevices.query();
    const theCase = await owner.api.cases.create.mutate(aCaseInput([client.id], { matter: CANARY }));
    const links = { clientId: client.id, caseId: theCase.id };
    const task = await owner.api.tasks.create.mutate({
      ...links,
      title: CANARY,
      dueOn: null,
      assigneeId: owner.ownerId,
    });
    await mongoose.connection
      .collection<{ _id: string }>("users")
      .updateOne({ _id: owner.ownerId }, { $set: { accreditation: { fmca: true, urn: "1234A" } } });
    const certificate = await owner.api.certificates.issue.mutate({
      caseId: theCase.id,
      partyId: theCase.parties[0]?.partyId ?? "",
      reason: "exempt",
      issuedOn: "2026-01-05",
    });
    const meeting = await owner.api.meetings.create.mutate(
      aMeetingInput(owner.ownerId, {
        caseId: theCase.id,
        partyIds: theCase.parties.map(({ partyId }) => partyId),
        title: CANARY,
      }),
    );
    const file = await storeFile(scopeOf(owner.ownerId), Readable.from([Buffer.from(CANARY)]), {
      name: `${CANARY}.txt`,
      clientId: client.id,
      caseId: null,
      visibility: PRACTICE_ONLY,
    });
    const mail = await queueMail(scopeOf(owner.ownerId), {
      clientId: client.id,
      party: null,
      visibilities: [],
      purpose: "letter",
      toName: CANARY,
      to: "canary@example.org",
      subject: CANARY,
      text: CANARY,
      attachments: [],
    });
    return {
      ownerId: owner.ownerId,
      caseId: theCase.id,
      partyId: theCase.parties[0]?.partyId ?? "",
      taskId: task.id,
      mailId: mail.id,
      ...(await aSession(owner, theCase.id, theCase.parties[0]?.partyId ?? "")),
      certificateId: certificate.id,
      meetingId: meeting.id,
      fileId: file.id,
      clientId: client.id,
      staffId: items.find((user) => user.email === staff.email)?.id ?? "",
      invitedId: items.find((user) => user.status === "invited")?.id ?? "",
      deviceId: device?.id ?? "",
    };
  }

  /** A session that runs, with a proposal and a note in one party's confidence. */
  async function aSession({ api }: TestPractice, caseId: string, partyId: string) {
    const session = await api.sessions.start.mutate({ id: newId(), caseId, meetingId: null });
    const visibility = caucusOf(partyId);
    const change = (changeId: string) => ({ id: session.id, changeId });
    await api.sessions.addProposal.mutate({
      ...change("first"),
      proposalId: "proposal",
      issue: CANARY,
      text: CANARY,
      byPartyId: partyId,
      visibility,
      countersId: null,
      release: null,
    });
    const step = { id: "step", text: CANARY, partyId: null, dueOn: null };
    await api.sessions.saveNextStep.mutate({ ...change("second"), step });
    const note = await api.sessions.addNote.mutate({
      sessionId: session.id,
      note: { id: newId(), kind: "caucus", visibility, body: richTextOf(CANARY) },
    });
    return { sessionId: session.id, noteId: note.id };
  }

  test.each(guarded)("%s: a stranger reaches nothing of the practice, and its owner does", async (path) => {
    const { input, stranger: expected, passedGatesWith } = fixtureOf(path);
    const before = await everythingBut(stranger);
    const refused = await call(stranger, path, input?.(target));
    if (expected === "missing") expect(refused.code).toBe("NOT_FOUND");
    else expect(refused.code).toBe(passedGatesWith ?? "OK");
    expect(refused.text).not.toContain(CANARY);
    expect(refused.text.match(/Quillfeather \d+/g) ?? []).toEqual(
      (refused.text.match(/Quillfeather \d+/g) ?? []).map(() => stranger.practiceName),
    );
    expect(await everythingBut(stranger)).toEqual(before);
    const others = await everythingBut(practice);
    const rightful = await call(practice, path, input?.(target));
    expect(rightful.code).toBe(passedGatesWith ?? "OK");
    expect(await everythingBut(practice)).toEqual(others);
  });

  /** All that is stored of anybody else, but for when somebody was last seen. */
  async function everythingBut({ ownerId }: TestPractice): Promise<string> {
    const collections = await mongoose.connection.listCollections();
    const found = await Promise.all(
      collections
        .filter(({ name }) => !OWNERLESS.has(name))
        .map(async ({ name }) => {
          const filter = { $nor: [{ _id: ownerId }, { ownerId }, { owner_id: ownerId }] };
          const docs = await mongoose.connection
            .collection<{ _id: string }>(name)
            .find(filter, { sort: { _id: 1 }, projection: { last_seen_at: 0, expires_at: 0 } })
            .toArray();
          return [name, docs];
        }),
    );
    return JSON.stringify(found);
  }
});

describe("raw routes", () => {
  test("/export/clients.csv: follows the same rules as the list", async () => {
    const practice = await aPractice(app);
    await practice.api.clients.create.mutate(aClient({ lastName: CANARY }));
    const stranger = await aPractice(app);
    const statusOf = async (person: TestPerson) => {
      const response = await fetch(`${app.url}/export/clients.csv`, { headers: { cookie: person.cookies() } });
      return { status: response.status, hasCanary: (await response.text()).includes(CANARY) };
    };
    expect(await statusOf(aVisitor(app))).toEqual({ status: 401, hasCanary: false });
    expect(await statusOf(await aStaffUser(app, practice, { permissions: ["clients.read"] }))).toEqual({
      status: 403,
      hasCanary: false,
    });
    expect(await statusOf(await aStaffUser(app, practice, { permissions: ["data.export"] }))).toEqual({
      status: 403,
      hasCanary: false,
    });
    expect(await statusOf(stranger)).toEqual({ status: 200, hasCanary: false });
    expect(await statusOf(practice)).toEqual({ status: 200, hasCanary: true });
  });
});
