import { newId } from "@app/server/core/ids";
import { InvoiceModel } from "@app/server/features/invoices/invoices.model";
import { addDays } from "@app/shared/days";
import { describe, expect, test } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import {
  aLine,
  anInvoice,
  invoiceSettings,
  issuedInvoice,
  partyPayer,
  registeredForVat,
} from "../support/server/invoiced.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, PASSWORD } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

describe("a draft", () => {
  test("invoices.create: the server reckons what it comes to, and it has no number yet", async () => {
    await registeredForVat(practice);
    const { theCase, p1 } = await aCase(practice);
    const lines = [aLine({ qtyMilli: 1500, vatRateBp: 2000 }), aLine({ kind: "disbursement", unitMinor: 999 })];
    const created = await practice.api.invoices.create.mutate(anInvoice(theCase.id, partyPayer(p1), { lines }));
    expect(created).toMatchObject({
      number: "",
      state: "draft",
      netMinor: 15_999,
      vatMinor: 3000,
      grossMinor: 18_999,
      dueMinor: 0,
      payerName: p1.name,
      payerAddress: ["4 Kiln Row", "LS6 2QX", "United Kingdom"],
      currency: "GBP",
      visibility: { scope: "party", partyIds: [p1.partyId] },
    });
    expect(await practice.api.invoices.list.query({ caseId: theCase.id })).toMatchObject({ total: 1 });
  });

  test.each([
    ["no line", { lines: [] }, "lines"],
    ["a line that says nothing", { lines: [aLine({ description: "-" })] }, "lines.0.description"],
    ["more than ten million", { lines: [aLine({ unitMinor: 1_000_000_000, qtyMilli: 2000 })] }, "lines"],
    ["VAT of a practice that is not registered", { lines: [aLine({ vatRateBp: 2000 })] }, "lines"],
    ["a session of another case", { lines: [aLine({ sessionId: newId() })] }, "lines"],
    ["a party of no case", { payer: { kind: "party" as const, partyId: newId(), clientId: newId() } }, "payer"],
    ["a contact that is not there", { payer: { kind: "contact" as const, contactId: newId() } }, "payer"],
  ])("invoices.create: %s is answered at the field and stores nothing", async (_what, overrides, field) => {
    const { theCase, p1 } = await aCase(practice);
    const refused = await refusal(
      practice.api.invoices.create.mutate(anInvoice(theCase.id, partyPayer(p1), overrides)),
    );
    expect(refused).toMatchObject({ code: "BAD_REQUEST", fields: { [field]: expect.any(String) } });
    expect(await practice.api.invoices.list.query({})).toMatchObject({ total: 0 });
  });

  test("invoices.update and remove: a draft changes and goes, one that was issued does neither", async () => {
    const { theCase, p1, p2 } = await aCase(practice);
    const { id, version } = await practice.api.invoices.create.mutate(anInvoice(theCase.id, partyPayer(p1)));
    const changes = { payer: partyPayer(p2), lines: [aLine({ unitMinor: 500 })], notes: "" };
    const changed = await practice.api.invoices.update.mutate({ id, version, ...changes });
    expect(changed).toMatchObject({ payerName: p2.name, grossMinor: 500, visibility: { partyIds: [p2.partyId] } });
    expect(await refusal(practice.api.invoices.update.mutate({ id, version, ...changes }))).toMatchObject({
      isStale: true,
    });
    const issued = await practice.api.invoices.issue.mutate({ id, version: changed.version });
    const again = { id, version: issued.version };
    expect((await refusal(practice.api.invoices.update.mutate({ ...again, ...changes }))).code).toBe(
      "PRECONDITION_FAILED",
    );
    expect((await refusal(practice.api.invoices.remove.mutate(again))).message).toContain("was issued");
    expect((await refusal(practice.api.invoices.issue.mutate(again))).message).toContain("was issued");
    const other = await practice.api.invoices.create.mutate(anInvoice(theCase.id, partyPayer(p1)));
    await practice.api.invoices.remove.mutate({ id: other.id, version: other.version });
    expect(await practice.api.invoices.list.query({})).toMatchObject({ total: 1 });
  });

  test("invoices.split: each payer has a draft of their own with their part, and the parts make up the whole", async () => {
    const { theCase, p1 } = await aCase(practice);
    const { id: contactId } = await practice.api.contacts.create.mutate(aContact());
    const shares = {
      method: "share_bp" as const,
      remainderAt: 0,
      payers: [
        { payer: partyPayer(p1), shareBp: 3333 },
        { payer: { kind: "legal_aid" as const }, shareBp: 3333 },
        { payer: { kind: "contact" as const, contactId }, shareBp: 3334 },
      ],
    };
    const input = { id: newId(), caseId: theCase.id, lines: [aLine({ unitMinor: 10_001 })], notes: "", shares };
    const { items } = await practice.api.invoices.split.mutate(input);
    expect(items.map(({ payerName, grossMinor }) => [payerName, grossMinor])).toEqual([
      [p1.name, 3334],
      ["Legal Aid Agency", 3333],
      ["Harriet Lowell", 3334],
    ]);
    expect(await practice.api.invoices.split.mutate(input)).toEqual({ items });
    expect(await practice.api.invoices.list.query({})).toMatchObject({ total: 3 });
  });
});

describe("an invoice that was issued", () => {
  test("invoices.issue: it has the next number, its day and when it is due, and who pays it as they are called then", async () => {
    await invoiceSettings(practice, { prefix: "QF", nextNumber: 41, daysToPay: 30 });
    const { theCase, p1, first } = await aCase(practice);
    const draft = await practice.api.invoices.create.mutate(anInvoice(theCase.id, partyPayer(p1)));
    const client = await practice.api.clients.get.query({ id: first.id });
    const { id, version } = client;
    const {
      displayName: _name,
      status: _s,
      isContactUnchecked: _u,
      createdAt: _c,
      updatedAt: _a,
      updatedByName: _b,
      ...fields
    } = client;
    const { id: _id, version: _v, ...own } = fields;
    const renamed = { ...own, lastName: "Secondname", isAddressConfidential: true };
    await practice.api.clients.update.mutate({ id, version, client: renamed });
    const issued = await practice.api.invoices.issue.mutate({ id: draft.id, version: draft.version });
    expect(issued).toMatchObject({
      number: "QF-0041",
      state: "issued",
      dueOn: addDays(issued.issuedOn, 30),
      dueMinor: 10_000,
      payerName: "Priya Secondname",
      payerAddress: [],
    });
    await practice.api.clients.update.mutate({ id, version: version + 1, client: { ...renamed, lastName: "Third" } });
    expect(await practice.api.invoices.get.query({ id: draft.id })).toMatchObject({ payerName: "Priya Secondname" });
    const { items } = await practice.api.timeline.list.query({ caseId: theCase.id });
    expect(items.map(({ text }) => text)).toContain("Invoice QF-0041 issued");
  });

  test("invoices.void: a credit note takes off all that is open; where money was paid it is refused with what to do", async () => {
    const { theCase, p1 } = await aCase(practice);
    const { id, version } = await issuedInvoice(practice, theCase.id, partyPayer(p1));
    const done = await practice.api.invoices.void.mutate({ id, version, reason: "Written twice" });
    expect(done).toMatchObject({
      state: "void",
      number: "0001",
      dueMinor: 0,
      creditNotes: [{ number: "CN-0001", grossMinor: 10_000, reason: "Written twice" }],
    });
    const again = await refusal(practice.api.invoices.void.mutate({ id, version: done.version, reason: "Again" }));
    expect(again).toMatchObject({ code: "PRECONDITION_FAILED", message: expect.stringContaining("Nothing follows") });
    const draft = await practice.api.invoices.create.mutate(anInvoice(theCase.id, partyPayer(p1)));
    const early = await refusal(
      practice.api.invoices.void.mutate({ id: draft.id, version: draft.version, reason: "Early" }),
    );
    expect(early.message).toContain("It can become issued");
  });

  test("invoices.credit: no more than is left is taken off, under a number of its own", async () => {
    const { theCase, p1 } = await aCase(practice);
    const { id, version } = await issuedInvoice(practice, theCase.id, partyPayer(p1));
    const credited = await practice.api.invoices.credit.mutate({ id, version, amountMinor: 4000, reason: "Half" });
    expect(credited).toMatchObject({ state: "issued", creditedMinor: 4000, dueMinor: 6000 });
    const more = { id, version: credited.version, amountMinor: 6001, reason: "More" };
    expect((await refusal(practice.api.invoices.credit.mutate(more))).message).toContain("more than is left");
  });

  test("invoices.list: filtered by state, payer, what is overdue and words, for whoever sees the case alone", async () => {
    const { theCase, p1, first } = await aCase(practice);
    await issuedInvoice(practice, theCase.id, partyPayer(p1));
    await issuedInvoice(practice, theCase.id, { kind: "voucher" });
    await practice.api.invoices.create.mutate(anInvoice(theCase.id, partyPayer(p1)));
    const total = async (filter: object) => (await practice.api.invoices.list.query(filter)).total;
    expect(await total({ state: "issued" })).toBe(2);
    expect(await total({ payerKind: "voucher" })).toBe(1);
    expect(await total({ search: "0002" })).toBe(1);
    expect(await total({ search: "priya" })).toBe(2);
    expect(await total({ clientId: first.id })).toBe(3);
    expect(await total({ isOverdue: true })).toBe(0);
    const permissions = ["clients.read", "payments.read", "assigned_only"] as const;
    const apart = await aStaffUser(app, practice, { permissions: [...permissions] });
    expect(await apart.api.invoices.list.query({})).toMatchObject({ total: 0 });
    moveTime(40 * 86_400_000);
    await practice.api.auth.signIn.mutate({ email: practice.email, password: PASSWORD, isRemembered: false });
    expect(await total({ isOverdue: true })).toBe(2);
  });

  test("partyView.preview: a party is shown what they pay and nothing of what the other pays, and only by who may see payments", async () => {
    const { theCase, p1, p2 } = await aCase(practice);
    const line = (description: string, unitMinor: number) => ({ lines: [aLine({ description, unitMinor })] });
    await issuedInvoice(practice, theCase.id, partyPayer(p1), line("Oneword", 11_100));
    await issuedInvoice(practice, theCase.id, partyPayer(p2), line("Otherword", 22_200));
    const shown = async ({ partyId }: typeof p1, by = practice.api) => {
      const { items, leftOut } = await by.partyView.preview.query({ caseId: theCase.id, partyId });
      return { said: items.filter(({ kind }) => kind === "invoice").map(({ detail }) => detail), leftOut };
    };
    const own = await shown(p1);
    expect(own.said).toEqual([expect.stringContaining("Oneword: £111.00. Total £111.00, £111.00 to pay by")]);
    expect(JSON.stringify(await shown(p2))).not.toMatch(/Oneword|111\.00/);
    const staff = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    expect(await shown(p1, staff.api)).toMatchObject({ said: [], leftOut: ["message", "invoice"] });
  });
});

test("invoices.setSettings: the next number only goes up, and VAT needs a number", async () => {
  const { theCase, p1 } = await aCase(practice);
  await issuedInvoice(practice, theCase.id, partyPayer(p1));
  expect((await refusal(invoiceSettings(practice, { nextNumber: 1 }))).fields).toHaveProperty("nextNumber");
  expect((await refusal(invoiceSettings(practice, { isVatRegistered: true }))).fields).toHaveProperty("vatNumber");
  await invoiceSettings(practice, { nextNumber: 100 });
  expect(await issuedInvoice(practice, theCase.id, partyPayer(p1))).toMatchObject({ number: "0100" });
});

test("invoices.issue: 30 at once are numbered without a gap or a double", async () => {
  const { theCase, p1 } = await aCase(practice);
  const drafts = await Promise.all(
    Array.from({ length: 30 }, () => practice.api.invoices.create.mutate(anInvoice(theCase.id, partyPayer(p1)))),
  );
  const issued = await Promise.all(
    drafts.map(({ id, version }) => practice.api.invoices.issue.mutate({ id, version })),
  );
  const numbers = issued.map(({ number }) => Number(number)).toSorted((one, other) => one - other);
  expect(numbers).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
  expect(await InvoiceModel.countDocuments({ ownerId: practice.ownerId, state: "issued" })).toBe(30);
});
