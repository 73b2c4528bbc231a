import { newId } from "@app/server/core/ids";
import { captureLead } from "@app/server/features/leads/lead-capture.service";
import { LeadModel } from "@app/server/features/leads/leads.model";
import { NO_ATTRIBUTION } from "@app/shared/leads";
import { PERMISSIONS } from "@app/shared/access";
import { describe, expect, test } from "vitest";
import { aLead, anEnquiry } from "../support/access/leads-access.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { aClient, anIntake, aPractice, aStaffUser, clientFields, type TestPerson } from "../support/server/people.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { startTestApp } from "../support/server/test-app.ts";

const DAY_MS = 86_400_000;
const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const stored = (id: string) => LeadModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();

/** Takes a lead through these states. */
async function taken(states: readonly ("contacted" | "qualified" | "awaiting_p2")[], lead = aLead()) {
  let made = await practice.api.leads.create.mutate(lead);
  for (const to of states) made = await practice.api.leads.move.mutate({ id: made.id, version: made.version, to });
  return made;
}
const READY = ["contacted", "qualified", "awaiting_p2"] as const;

/** An intake without the id that a creating call would have. */
function intakeOf(overrides: Parameters<typeof anIntake>[0] = {}) {
  const { id: _id, ...intake } = anIntake(overrides);
  return intake;
}

describe("a lead", () => {
  test("leads.create: somebody who rang, when they are added, stands in the list, and what they told of others is sealed", async () => {
    const made = await practice.api.leads.create.mutate(aLead());
    expect(made).toMatchObject({ displayName: "Winifred Dace", status: "new", channel: "phone", version: 0 });
    expect(await practice.api.leads.get.query({ id: made.id })).toMatchObject(anEnquiry());
    expect((await practice.api.leads.list.query({})).items).toMatchObject([{ id: made.id, hasTwins: false }]);
    const doc = JSON.stringify(await stored(made.id));
    expect(doc).toContain("Dace");
    for (const secret of ["Holloway", "900302", "live apart"]) expect(doc).not.toContain(secret);
  });

  test.each([
    ["neither a name nor an organisation", { lastName: "" }, "lead.lastName"],
    ["an address that is none", { email: "winifred@" }, "lead.email"],
    ["a summary that is too long", { summary: "x".repeat(2001) }, "lead.summary"],
  ])("leads.create: %s, when it is sent, is answered at the field and stores nothing", async (_what, part, field) => {
    const refused = await refusal(practice.api.leads.create.mutate(aLead(part)));
    expect(refused).toMatchObject({ code: "BAD_REQUEST", fields: { [field]: expect.any(String) } });
    expect((await practice.api.leads.list.query({ state: "all" })).total).toBe(0);
  });

  test("leads.update: of two who edit one version, the second is refused", async () => {
    const { id, version } = await taken([]);
    await practice.api.leads.update.mutate({ id, version, lead: anEnquiry({ campaign: "Autumn" }) });
    const second = await refusal(practice.api.leads.update.mutate({ id, version, lead: anEnquiry() }));
    expect(second).toMatchObject({ code: "CONFLICT", isStale: true });
    expect(await practice.api.leads.get.query({ id })).toMatchObject({ campaign: "Autumn", version: 1 });
  });

  test("leads.erase: a lead, when it is erased, is gone, and its page says so", async () => {
    const { id } = await taken([]);
    await practice.api.leads.erase.mutate({ id });
    expect(await stored(id)).toBeNull();
    expect((await refusal(practice.api.leads.get.query({ id }))).code).toBe("NOT_FOUND");
  });

  test("leads: staff, when they hold every permission there is, are refused, and so is the export", async () => {
    const { id } = await taken([]);
    const staff = await aStaffUser(app, practice, { role: 2, permissions: [...PERMISSIONS] });
    expect((await refusal(staff.api.leads.list.query({}))).code).toBe("FORBIDDEN");
    expect((await refusal(staff.api.leads.get.query({ id }))).code).toBe("FORBIDDEN");
    expect((await exported(staff)).status).toBe(403);
  });
});

const exported = (person: TestPerson, query = "") =>
  fetch(`${app.url}/export/leads.csv?${query}`, {
    headers: { cookie: person.cookies(), "sec-fetch-site": "same-origin" },
  });

describe("the steps", () => {
  test("leads.noteCall: a call, when it is noted, is the first answer, and stays it", async () => {
    const { id } = await taken([]);
    moveTime(2 * 3_600_000);
    const contacted = await practice.api.leads.noteCall.mutate({ id, version: 0 });
    expect(contacted.status).toBe("contacted");
    const again = practice.api.leads.noteCall.mutate({ id, version: contacted.version });
    expect((await refusal(again)).code).toBe("PRECONDITION_FAILED");
    expect(await stored(id)).toMatchObject({ responseMinutes: 120, firstRespondedAt: expect.any(Date) });
    const qualified = await practice.api.leads.move.mutate({ id, version: contacted.version, to: "qualified" });
    expect(qualified.firstResponseAt).toBe(contacted.firstResponseAt);
    expect(qualified.steps.map(({ to }) => to)).toEqual(["new", "contacted", "qualified"]);
  });

  test("leads.move: a card, when it is moved and nobody wrote or rang, is no first answer", async () => {
    const { id, version, firstResponseAt } = await taken(["contacted"]);
    expect(firstResponseAt).toBeNull();
    expect(await stored(id)).toMatchObject({ responseMinutes: null, firstRespondedAt: null });
    const noted = await practice.api.leads.noteCall.mutate({ id, version });
    expect([noted.status, noted.firstResponseAt]).toEqual(["contacted", expect.any(String)]);
  });

  test("leads.move: a step that is none, when it is asked for, is refused with what comes next, and stores nothing", async () => {
    const { id } = await taken([]);
    const refused = await refusal(practice.api.leads.move.mutate({ id, version: 0, to: "awaiting_p2" }));
    expect(refused).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("Next comes Contacted or Lost"),
    });
    expect(await stored(id)).toMatchObject({ status: "new", version: 0 });
  });

  test("leads.lose: a lead, when it is lost, keeps why, and is taken up again as new with its reason gone", async () => {
    const { id, version } = await taken(["contacted"]);
    const lost = await practice.api.leads.lose.mutate({ id, version, reason: "p2_declined", note: "By phone" });
    expect(lost).toMatchObject({ status: "lost", lostReason: "p2_declined", lostNote: "By phone" });
    expect(JSON.stringify(await stored(id))).not.toContain("By phone");
    expect((await practice.api.leads.list.query({})).total).toBe(0);
    const reopened = await practice.api.leads.reopen.mutate({ id, version: lost.version });
    expect(reopened).toMatchObject({ status: "new", lostReason: null, lostNote: "" });
  });

  test("leads.reopen: a lead, when it was lost more than a year ago, is not taken up again", async () => {
    const { id, version } = await taken([]);
    const lost = await practice.api.leads.lose.mutate({ id, version, reason: "price", note: "" });
    await LeadModel.updateOne(
      { ownerId: practice.ownerId, _id: id },
      { $set: { statusSince: new Date(Date.now() - 370 * DAY_MS) } },
    );
    const refused = await refusal(practice.api.leads.reopen.mutate({ id, version: lost.version }));
    expect(refused).toMatchObject({ code: "PRECONDITION_FAILED" });
    expect(await stored(id)).toMatchObject({ status: "lost" });
  });
});

describe("the list", () => {
  test("leads.list: what is overdue, when leads are listed, comes first, and what has no day last", async () => {
    const late = await taken([], aLead({ lastName: "Late" }));
    const called = [{ lastName: "Dayless" }, { lastName: "Wednesday", nextStep: "Call back", nextOn: "2040-01-04" }];
    for (const part of called) {
      const { id, version } = await taken([], aLead(part));
      await practice.api.leads.noteCall.mutate({ id, version });
    }
    const { items } = await practice.api.leads.list.query({});
    expect(items.map(({ displayName }) => displayName)).toEqual([
      "Winifred Late",
      "Winifred Wednesday",
      "Winifred Dayless",
    ]);
    expect(items[0]?.id).toBe(late.id);
  });

  test("leads.list: state, source, age and words, when they are asked for, narrow it", async () => {
    await taken([], aLead({ lastName: "Court", source: "court", phone: "0113 496 0142" }));
    const { id, version } = await taken([], aLead({ lastName: "Lost" }));
    await practice.api.leads.lose.mutate({ id, version, reason: "price", note: "" });
    const names = async (input: Parameters<typeof practice.api.leads.list.query>[0]) =>
      (await practice.api.leads.list.query(input)).items.map(({ displayName }) => displayName);
    expect(await names({ state: "lost" })).toEqual(["Winifred Lost"]);
    expect(await names({ source: "court", state: "all" })).toEqual(["Winifred Court"]);
    expect(await names({ search: "0113 496", age: "week" })).toEqual(["Winifred Court"]);
    expect(await names({ search: "holloway" })).toEqual([]);
    expect(await names({ search: "ourt" })).toEqual(["Winifred Court"]);
    const longAgo = { $set: { createdAt: new Date(Date.now() - 8 * DAY_MS) } };
    await LeadModel.collection.updateMany({ ownerId: practice.ownerId }, longAgo);
    expect(await names({ age: "week" })).toEqual([]);
    expect(await names({ age: "month" })).toEqual(["Winifred Court"]);
  });

  test("leads.list: two with the same address or number, when they are listed, are perhaps the same, and stay two", async () => {
    const first = await taken([], aLead({ email: "Winifred@Example.org", phone: "" }));
    await taken([], aLead({ lastName: "Other", email: "winifred@example.org", phone: "" }));
    await taken([], aLead({ lastName: "Third", email: "third@example.org", phone: "" }));
    const { items } = await practice.api.leads.list.query({ sort: "name" });
    expect(items.map(({ hasTwins }) => hasTwins)).toEqual([true, true, false]);
    expect((await practice.api.leads.get.query({ id: first.id })).twins).toMatchObject([
      { displayName: "Winifred Other" },
    ]);
  });

  test("leads.board: the columns, when leads are in them, stand in their legal order with what was answered how soon", async () => {
    await taken([]);
    moveTime(60 * 60_000);
    const { id, version } = await taken(["contacted"]);
    await practice.api.leads.noteCall.mutate({ id, version });
    const { columns, recent } = await practice.api.leads.board.query({});
    expect(columns.map(({ status, count }) => `${status} ${count}`)).toEqual([
      "new 1",
      "contacted 1",
      "qualified 0",
      "awaiting_p2 0",
      "converted 0",
      "lost 0",
    ]);
    expect(recent).toEqual({ came: 2, converted: 0, medianResponseMinutes: 0 });
  });

  test("export: it holds what the list shows for the same filter, and no formula", async () => {
    await taken([], aLead({ lastName: "Ash", summary: "=HYPERLINK(1)" }));
    await taken([], aLead({ lastName: "Beech", source: "court" }));
    const text = await (await exported(practice, "source=solicitor&sort=name")).text();
    expect(text.trim().split("\r\n")).toHaveLength(2);
    expect(text).toContain("Winifred Ash");
    expect(text).toContain("'=HYPERLINK(1)");
  });
});

describe("converting", () => {
  test("leads.convert: a lead that is ready, when it is converted, becomes a client with a case in one step, and once", async () => {
    const { id, version } = await taken(READY);
    const other = { client: clientFields({ firstName: "Gareth", lastName: "Holloway", email: "" }) };
    const sent = {
      changeId: newId(),
      id,
      version,
      intake: intakeOf({ other, conflict: { decision: "clear", reason: "" } }),
    };
    const made = await practice.api.leads.convert.mutate(sent);
    expect(await practice.api.leads.convert.mutate(sent)).toEqual(made);
    expect(await practice.api.leads.get.query({ id })).toMatchObject({
      status: "converted",
      converted: { clientId: made.clientId, caseId: made.caseId, caseRef: expect.stringMatching(/\d{4}/) },
    });
    expect((await practice.api.clients.list.query({})).total).toBe(2);
    expect((await practice.api.conflicts.ofCase.query({ id: made.caseId })).latest?.decision).toBe("clear");
    const again = practice.api.leads.convert.mutate({ ...sent, changeId: newId(), version: version + 1 });
    expect((await refusal(again)).code).toBe("PRECONDITION_FAILED");
  });

  test.each([
    ["the other party is nobody's client", intakeOf({ other: { clientId: "nobody" } })],
    ["the conflict is waived without a reason", intakeOf({ conflict: { decision: "waived", reason: "" } })],
    ["no case is opened", intakeOf({ theCase: null })],
  ])("leads.convert: nothing, when %s, is stored, and the lead stays where it was", async (_what, intake) => {
    const { id, version } = await taken(READY);
    const refused = await refusal(practice.api.leads.convert.mutate({ changeId: newId(), id, version, intake }));
    expect(refused.code).toMatch(/NOT_FOUND|BAD_REQUEST/);
    expect((await practice.api.clients.list.query({})).total).toBe(0);
    expect((await practice.api.cases.list.query({ page: 1 })).total).toBe(0);
    expect(await stored(id)).toMatchObject({ status: "awaiting_p2", version, converted: null });
  });

  test("leads.report: enquiries, when some became cases, are counted by source, each party by what is recorded", async () => {
    const ready = await taken(READY);
    const { id, version } = await practice.api.leads.noteCall.mutate({ id: ready.id, version: ready.version });
    await practice.api.leads.convert.mutate({ changeId: newId(), id, version, intake: intakeOf() });
    for (const reason of ["price", "p2_declined", "p2_declined"] as const) {
      const gone = await taken([], aLead({ source: "court" }));
      await practice.api.leads.lose.mutate({ id: gone.id, version: gone.version, reason, note: "" });
    }
    const nothing = { firstParty: 0, secondParty: 0, mediating: 0, agreed: 0 };
    expect(await practice.api.leads.report.query({ from: "2020-01-01", until: "2090-01-01" })).toEqual({
      rows: [
        { source: "solicitor", enquiries: 1, contacted: 1, converted: 1, ...nothing, lost: 0 },
        { source: "court", enquiries: 3, contacted: 0, converted: 0, ...nothing, lost: 3 },
      ],
      total: { enquiries: 4, contacted: 1, converted: 1, ...nothing, lost: 3 },
      lostReasons: [
        { reason: "p2_declined", count: 2 },
        { reason: "price", count: 1 },
      ],
      isCut: false,
    });
    expect((await practice.api.leads.report.query({ from: "2020-01-01", until: "2020-01-02" })).rows).toEqual([]);
  });
});

describe("the conflict check", () => {
  test("leads.create: whoever is known to the practice, when they are named as the other person, is shown to the owner", async () => {
    const { id } = await practice.api.clients.create.mutate(aClient({ firstName: "Gareth", lastName: "Holloway" }));
    const lead = await practice.api.leads.create.mutate(aLead());
    expect(lead).toMatchObject({ conflictState: "to_look_at", conflict: { hits: [{ kind: "client", id }] } });
    const looked = await practice.api.leads.lookAtConflict.mutate({ id: lead.id, version: lead.version });
    expect(looked).toMatchObject({ conflictState: "looked_at", conflict: { lookedByName: "Ines Marchbank" } });
    const enquiry = anEnquiry({ other: null });
    const changed = await practice.api.leads.update.mutate({ id: lead.id, version: looked.version, lead: enquiry });
    expect(changed).toMatchObject({ conflictState: "clear", conflict: { hits: [] } });
  });

  test("captureLead: an enquiry, when it names somebody who is known, is answered as any other, before anybody looks", async () => {
    await practice.api.clients.create.mutate(aClient({ firstName: "Gareth", lastName: "Holloway" }));
    const send = (lead: ReturnType<typeof anEnquiry>) =>
      captureLead(practice.ownerId, {
        channel: "form",
        lead,
        attribution: NO_ATTRIBUTION,
        consent: "",
        flags: [],
        answers: null,
      });
    const answers = [await send(anEnquiry()), await send(anEnquiry({ lastName: "Quill", other: null }))];
    expect(answers.map((answer) => Object.keys(answer))).toEqual([["id"], ["id"]]);
    for (const { id } of answers) expect((await stored(id))?.conflict).toBeNull();
    expect((await practice.api.leads.get.query({ id: answers[0]?.id ?? "" })).conflictState).toBe("pending");
  });
});

test.each([
  ["the owner’s", (own: string) => own],
  ["the owner’s in capitals", (own: string) => own.toUpperCase()],
  ["one at the owner’s mailbox", (own: string) => own.replace("@", "+enquiry@")],
])(
  "leads.create and update: where the address is %s, it is refused, and one that came in so may be kept",
  async (_whose, of) => {
    const email = of(practice.email);
    const REFUSED = { code: "BAD_REQUEST", message: expect.stringContaining("somebody who works here") };
    expect(await refusal(practice.api.leads.create.mutate(aLead({ email })))).toMatchObject(REFUSED);
    const { id, version } = await practice.api.leads.create.mutate(aLead());
    const changed = practice.api.leads.update.mutate({ id, version, lead: anEnquiry({ email }) });
    expect(await refusal(changed)).toMatchObject(REFUSED);
    const came = { channel: "form" as const, attribution: NO_ATTRIBUTION, consent: "", flags: [], answers: null };
    const arrived = await captureLead(practice.ownerId, { ...came, lead: anEnquiry({ email: email.toLowerCase() }) });
    const kept = await practice.api.leads.get.query({ id: arrived.id });
    const lead = anEnquiry({ email: kept.email, summary: "Rang us" });
    expect(await practice.api.leads.update.mutate({ id: kept.id, version: kept.version, lead })).toMatchObject({
      summary: "Rang us",
    });
  },
);
