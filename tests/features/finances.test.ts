// What the participants of a family case disclose of their finances, side by side, and what they agree of it.
import { Readable } from "node:stream";
import { storeFile } from "@app/server/features/files/files.service";
import { FigureModel, FinanceModel } from "@app/server/features/finances/finances.model";
import { ROLES } from "@app/shared/access";
import { linesOfFinances, remarksOn, totalsOf } from "@app/shared/finance-lines";
import { proposedPairs } from "@app/shared/finance-pairs";
import type { Answers } from "@app/shared/form-answers";
import { forParty } from "@app/shared/visibility";
import type { Sensitivity } from "@app/shared/form-limits";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import {
  aDisclosureForm,
  answersOf,
  bothComplete,
  enter,
  exchange,
  financesOf,
  TODAY,
} from "../support/finances/disclosed.ts";
import { aCase, aPractice, aStaffUser, scopeOf } from "../support/server/people.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(() => startTestApp());
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice, { domain: "family" }));
const caseId = () => built.theCase.id;
const P1 = () => built.p1.partyId;
const P2 = () => built.p2.partyId;
const finances = () => practice.api.finances;

const refused = async (asked: Promise<unknown>): Promise<string> => {
  const { code, message, fields } = await refusal(asked);
  return [code, message, ...Object.values(fields)].join(" ");
};

const ANSWERS = {
  name: { first: "Priya", last: "Anand" },
  incomes: [{ "#": "i1", income_kind: "wages", income_amount: 240_000 }],
  bills: 30_000,
  properties: [
    {
      "#": "p1",
      property_address: "12 Elm Road",
      property_owner: "both",
      property_value: 41_000_000,
      property_mortgage: 18_000_000,
    },
  ],
  assets: [
    { "#": "a1", asset_kind: "account", asset_name: "Calder joint 4411", asset_owner: "joint", asset_value: 120_000 },
    { "#": "a2", asset_kind: "shares", asset_owner: "mine", asset_value: 500_000 },
  ],
  debts: [{ "#": "d1", debt_name: "Card", debt_owner: "mine", debt_amount: 90_000 }],
  has_pensions: "no",
};

async function withAnswers(answers: Answers = ANSWERS, debtsFor: Sensitivity | null = null) {
  const form = await aDisclosureForm(practice, debtsFor);
  const clientId = built.theCase.parties[0]?.clientId ?? "";
  const submissionId = await answersOf(practice, { formId: form.id, clientId, caseId: caseId() }, answers);
  return { formId: form.id, clientId, submissionId };
}

const taken = async (submissionId: string) => {
  const { version } = await financesOf(practice, caseId());
  return finances().takeOver.mutate({ caseId: caseId(), version, partyId: P1(), submissionId });
};

describe("figures from answers", () => {
  test("finances.takeOver: what was answered, when it is taken over, is figures with their source", async () => {
    const { submissionId } = await withAnswers();
    const before = await financesOf(practice, caseId());
    expect(before.parties[0]?.answers).toMatchObject({ submissionId, count: 7, isTakenOver: false, proposals: [] });
    const { figures, parties } = await taken(submissionId);
    expect(figures.map(({ category, label, amountMinor, owner }) => [category, label, amountMinor, owner])).toEqual([
      ["income", "Wages", 240_000, "own"],
      ["outgoings", "Bills: energy, water, council tax, phone", 30_000, "own"],
      ["property", "12 Elm Road", 41_000_000, "joint"],
      ["debts", "Mortgage on 12 Elm Road", 18_000_000, "joint"],
      ["accounts", "Calder joint 4411", 120_000, "joint"],
      ["savings", "Shares or bonds", 500_000, "own"],
      ["debts", "Card", 90_000, "own"],
    ]);
    expect(figures[0]?.source).toMatchObject({ kind: "answers", submissionId, formNumber: 1, on: TODAY() });
    expect(parties[0]?.noneIn).toEqual(["pensions"]);
    const stored = JSON.stringify(await FigureModel.find({ ownerId: practice.ownerId }).lean());
    expect(stored).not.toContain("Elm Road");
    expect(stored).not.toContain("41000000");
  });

  test("finances.takeOver: the same answers, when they are taken over again, change nothing", async () => {
    const { submissionId } = await withAnswers();
    const first = await taken(submissionId);
    const again = await taken(submissionId);
    expect(again).toEqual(first);
    expect(await FigureModel.countDocuments({ ownerId: practice.ownerId })).toBe(7);
  });

  test("finances.decide: newer answers, when they differ, change a figure only where somebody says so", async () => {
    const { formId, clientId, submissionId } = await withAnswers();
    await taken(submissionId);
    const { debts: _debts, ...rest } = ANSWERS;
    const changed = {
      ...rest,
      bills: 35_000,
      assets: [
        {
          "#": "x1",
          asset_kind: "account",
          asset_name: "Calder joint 4411",
          asset_owner: "joint",
          asset_value: 99_000,
        },
        { "#": "x2", asset_kind: "shares", asset_owner: "mine", asset_value: 500_000 },
        { "#": "x3", asset_kind: "car", asset_name: "Van", asset_owner: "mine", asset_value: 700_000 },
      ],
    };
    const newer = await answersOf(practice, { formId, clientId, caseId: caseId() }, changed);
    const seen = await financesOf(practice, caseId());
    const proposals = seen.parties[0]?.answers?.proposals ?? [];
    const labelOf = (id: string | null) => seen.figures.find((one) => one.id === id)?.label ?? null;
    expect(proposals.map(({ figureId, after }) => [labelOf(figureId), after?.label, after?.amountMinor])).toEqual([
      ["Bills: energy, water, council tax, phone", "Bills: energy, water, council tax, phone", 35_000],
      ["Calder joint 4411", "Calder joint 4411", 99_000],
      [null, "Van", 700_000],
      ["Card", undefined, undefined],
    ]);
    expect(seen.figures.find(({ label }) => label === "Calder joint 4411")?.amountMinor).toBe(120_000);
    let now = seen;
    for (const [index, { key }] of proposals.entries())
      now = await finances().decide.mutate({
        caseId: caseId(),
        version: now.version,
        partyId: P1(),
        submissionId: newer,
        key,
        isTakenOver: index > 0,
      });
    expect(now.parties[0]?.answers?.proposals).toEqual([]);
    const amounts = new Map(now.figures.filter((one) => !one.isRemoved).map((one) => [one.label, one.amountMinor]));
    expect(amounts.get("Bills: energy, water, council tax, phone")).toBe(30_000);
    expect(amounts.get("Calder joint 4411")).toBe(99_000);
    expect(amounts.get("Van")).toBe(700_000);
    expect(amounts.has("Card")).toBe(false);
    const account = now.figures.find(({ label }) => label === "Calder joint 4411");
    expect(account?.source).toMatchObject({ kind: "answers", submissionId: newer });
    const { items } = await finances().history.query({ id: account?.id ?? "" });
    expect(items.map(({ amountMinor, source }) => [amountMinor, source.kind])).toEqual([[120_000, "answers"]]);
  });

  test("finances.get: an answer for mediators only, when a caseworker looks, makes a figure that they do not see", async () => {
    const { submissionId } = await withAnswers(ANSWERS, "mediator");
    const caseworker = await aStaffUser(app, practice, { role: ROLES.caseworker });
    await taken(submissionId);
    const { figures, hiddenCount } = await caseworker.api.finances.get.query({ caseId: caseId() });
    expect([figures.map(({ label }) => label).includes("Card"), hiddenCount]).toEqual([false, 1]);
    expect((await financesOf(practice, caseId())).figures.map(({ label }) => label)).toContain("Card");
  });
});

describe("figures that somebody enters", () => {
  test("finances.updateFigure: a figure, when it is changed by hand, is known from whoever changed it and keeps what stood there", async () => {
    const { submissionId } = await withAnswers();
    const { figures } = await taken(submissionId);
    const [wages] = figures;
    if (!wages) throw new Error("no figure was taken over");
    const { category, label, owner, asOf, evidenceFileId, id, version } = wages;
    const figure = { category, label, owner, asOf, evidenceFileId, amountMinor: 250_000 };
    const changed = await finances().updateFigure.mutate({ id, version, figure });
    expect(changed).toMatchObject({ amountMinor: 250_000, source: { kind: "entered", byName: "Ines Marchbank" } });
    expect((await finances().history.query({ id })).items).toMatchObject([{ amountMinor: 240_000 }]);
    expect(await refused(finances().updateFigure.mutate({ id, version, figure }))).toContain("CONFLICT");
  });

  test("finances.addFigure: a day to come, a party of another case or a workplace case, when it is entered, is refused", async () => {
    const other = await aCase(practice, { domain: "workplace" });
    expect(await refused(enter(practice, caseId(), P1(), { asOf: "2099-01-01" }))).toContain("in the future");
    expect(await refused(enter(practice, caseId(), other.p1.partyId))).toContain("NOT_FOUND");
    expect(await refused(enter(practice, other.theCase.id, other.p1.partyId))).toContain("family case");
  });

  test("finances.setNone: a kind that has figures, when somebody says there is nothing, is refused", async () => {
    const { id } = await enter(practice, caseId(), P1());
    const none = async () => {
      const { version } = await financesOf(practice, caseId());
      const input = { caseId: caseId(), version, partyId: P1(), category: "accounts" as const, isNone: true };
      return finances().setNone.mutate(input);
    };
    expect(await refused(none())).toContain("Remove them first");
    await finances().setFigureRemoved.mutate({ id, isRemoved: true });
    expect((await none()).parties[0]?.noneIn).toEqual(["accounts"]);
  });
});

/** A joint account that both name, each with a value of their own. */
async function aPair(second = 100_000) {
  const one = await enter(practice, caseId(), P1(), { owner: "joint", label: "Calder Bank 4411" });
  const other = await enter(practice, caseId(), P2(), { owner: "joint", label: "Joint Calder", amountMinor: second });
  return [one.id, other.id];
}

const pair = async (figureIds: string[], isPaired = true) => {
  const { version } = await financesOf(practice, caseId());
  return finances().pair.mutate({ caseId: caseId(), version, figureIds, isPaired });
};

const agree = async (figureIds: string[], partyId: string, amountMinor = 110_000) => {
  const { version } = await financesOf(practice, caseId());
  return finances().agree.mutate({ caseId: caseId(), version, figureIds, partyId, amountMinor, on: TODAY() });
};

describe("side by side", () => {
  test("proposedPairs: what both name as joint, when nobody has said so, is proposed and not taken for one", async () => {
    const ids = await aPair();
    const seen = await financesOf(practice, caseId());
    expect(proposedPairs(seen).map((figures) => figures.map(({ id }) => id))).toEqual([ids]);
    expect(linesOfFinances(seen)).toHaveLength(2);
    const said = remarksOn(seen).filter(({ kind }) => kind === "mismatch");
    expect(said.map(({ text }) => text.replaceAll(/\d{2,}(?=[. ])/g, ""))).toEqual([
      expect.stringMatching(/^Priya .* lists “Calder Bank 4411” as joint\. Owen .* does not list it\.$/),
      expect.stringMatching(/^Owen .* lists “Joint Calder” as joint\. Priya .* does not list it\.$/),
    ]);
  });

  test("finances.pair: two figures, when they are one thing, differ in words until a value is agreed by both", async () => {
    const ids = await aPair();
    const paired = await pair(ids);
    const [line] = linesOfFinances(paired);
    expect([line?.isPaired, line?.figures.length]).toEqual([true, 2]);
    const differs = /different values: Priya .* £1,200\.00 and Owen .* £1,000\.00\. The difference is £200\.00\./;
    const mismatches = (seen: typeof paired) => remarksOn(seen).filter(({ kind }) => kind === "mismatch");
    expect(mismatches(paired).map(({ text }) => text)).toEqual([expect.stringMatching(differs)]);
    await exchange(practice, caseId());
    const half = await agree(ids, P1());
    expect(mismatches(half)).toHaveLength(1);
    const whole = await agree(ids, P2());
    expect(mismatches(whole)).toEqual([]);
    expect(whole.agreements[0]).toMatchObject({
      amountMinor: 110_000,
      by: [
        { partyId: P1(), on: TODAY(), recordedByName: "Ines Marchbank" },
        { partyId: P2(), on: TODAY() },
      ],
    });
    const stored = JSON.stringify(await FinanceModel.find({ ownerId: practice.ownerId }).lean());
    expect(stored).not.toContain("110000");
  });

  test("finances.agree: another amount, when one of them agrees it, begins anew; a changed figure ends it", async () => {
    const ids = await aPair();
    await pair(ids);
    await exchange(practice, caseId());
    await agree(ids, P1());
    expect((await agree(ids, P2(), 105_000)).agreements[0]?.by).toHaveLength(1);
    await agree(ids, P1(), 105_000);
    const [id = ""] = ids;
    const { version, category, label, owner, asOf, evidenceFileId } = await finances().figure.query({ id });
    const figure = { category, label, owner, asOf, evidenceFileId, amountMinor: 130_000 };
    await finances().updateFigure.mutate({ id, version, figure });
    expect((await financesOf(practice, caseId())).agreements).toEqual([]);
    expect(await refused(agree(ids, P1()))).toContain("Exchange them first");
  });

  test("finances.agree: before the exchange, or by whoever does not answer for the case, it is refused", async () => {
    const ids = await aPair();
    await pair(ids);
    expect(await refused(agree(ids, P1()))).toContain("Exchange them first");
    const caseworker = await aStaffUser(app, practice, { role: ROLES.caseworker });
    const { version } = await bothComplete(practice, caseId());
    const consents = [P1(), P2()].map((partyId) => ({ partyId, on: TODAY(), how: "In the session" }));
    const asked = { caseId: caseId(), version, consents };
    expect(await refused(caseworker.api.finances.exchange.mutate(asked))).toContain("FORBIDDEN");
  });

  test("finances.agree: a day before the exchange, when a value is said to be agreed on it, is refused", async () => {
    const ids = await aPair();
    await pair(ids);
    const { version } = await exchange(practice, caseId());
    const agreed = { caseId: caseId(), version, figureIds: ids, partyId: P1(), amountMinor: 1, on: "2026-11-01" };
    expect(await refused(finances().agree.mutate(agreed))).toContain("not exchanged yet on that day");
  });

  test("finances.pair: figures of one participant, or under two headings, when somebody pairs them, are refused", async () => {
    const one = await enter(practice, caseId(), P1(), { owner: "joint" });
    const same = await enter(practice, caseId(), P1(), { owner: "joint" });
    const other = await enter(practice, caseId(), P2(), { owner: "joint", category: "savings" });
    expect(await refused(pair([one.id, same.id]))).toContain("one figure of each");
    expect(await refused(pair([one.id, other.id]))).toContain("different headings");
  });
});

describe("whose a thing is", () => {
  const totals = async () => {
    const { parties, ...seen } = await financesOf(practice, caseId());
    return totalsOf(linesOfFinances({ ...seen, parties }), parties);
  };
  test("totalsOf: what both say is one participant's alone, when it is added up, counts as theirs", async () => {
    const one = await enter(practice, caseId(), P1(), { owner: "other" });
    const other = await enter(practice, caseId(), P2(), { owner: "own" });
    await pair([one.id, other.id]);
    expect(await totals()).toEqual({
      own: [
        { partyId: P1(), amountMinor: 0 },
        { partyId: P2(), amountMinor: 120_000 },
      ],
      isAnyJoint: false,
      jointMinor: 0,
    });
  });

  test("totalsOf: what somebody does not know yet, when it is added up, is not nought", async () => {
    await enter(practice, caseId(), P1(), { owner: "own", amountMinor: 50_000 });
    await enter(practice, caseId(), P2(), { owner: "own", amountMinor: 70_000 });
    await enter(practice, caseId(), P2(), { owner: "own", amountMinor: null });
    expect((await totals()).own).toEqual([
      { partyId: P1(), amountMinor: 50_000 },
      { partyId: P2(), amountMinor: null },
    ]);
  });

  test("totalsOf: what one calls joint and the other theirs, when it is added up, is not settled", async () => {
    const one = await enter(practice, caseId(), P1(), { owner: "joint" });
    const other = await enter(practice, caseId(), P2(), { owner: "own" });
    await pair([one.id, other.id]);
    expect(await totals()).toMatchObject({ jointMinor: null, own: [{ amountMinor: 0 }, { amountMinor: 0 }] });
  });
  test("finances.pair: what each has alone, when somebody pairs it, stays two things", async () => {
    const one = await enter(practice, caseId(), P1());
    const other = await enter(practice, caseId(), P2());
    expect(await refused(pair([one.id, other.id]))).toContain("theirs alone");
  });
});

describe("the exchange", () => {
  test("finances.exchange: while one disclosure is not complete, or a consent is older than a figure, it is refused", async () => {
    await aPair();
    const { version } = await financesOf(practice, caseId());
    const consents = [P1(), P2()].map((partyId) => ({ partyId, on: TODAY(), how: "In the session" }));
    const early = consents.map((one) => ({ ...one, on: "2026-01-05" }));
    expect(await refused(finances().exchange.mutate({ caseId: caseId(), version, consents }))).toContain(
      "not complete",
    );
    const { version: complete } = await bothComplete(practice, caseId());
    const sent = (given: typeof consents) =>
      finances().exchange.mutate({ caseId: caseId(), version: complete, consents: given });
    expect(await refused(sent(early))).toContain("older than what is to be shared");
    expect(await refused(sent(consents.slice(0, 1).concat(consents.slice(0, 1))))).toContain("each participant");
    const { figures, exchange: done } = await sent(consents);
    expect(figures.every(({ isExchanged }) => isExchanged)).toBe(true);
    expect(done).toMatchObject({ byName: "Ines Marchbank", consents });
  });

  test("finances.updateFigure: what was exchanged, when it changes, waits for the next exchange", async () => {
    const [id = ""] = await aPair();
    await exchange(practice, caseId());
    const { version, category, label, owner, asOf, evidenceFileId } = await finances().figure.query({ id });
    const figure = { category, label, owner, asOf, evidenceFileId, amountMinor: 1 };
    expect((await finances().updateFigure.mutate({ id, version, figure })).isExchanged).toBe(false);
    const again = await exchange(practice, caseId());
    expect(again.figures.every(({ isExchanged }) => isExchanged)).toBe(true);
  });
});

test("totals: what somebody has with an outsider, when its share is not agreed, is not added up", async () => {
  const { id } = await enter(practice, caseId(), P1(), { owner: "outside", label: "Flat", amountMinor: 30_000_000 });
  await enter(practice, caseId(), P2(), {});
  await exchange(practice, caseId());
  const ownOf = async () => {
    const stated = await financesOf(practice, caseId());
    return totalsOf(linesOfFinances(stated), stated.parties).own[0]?.amountMinor;
  };
  expect(await ownOf()).toBeNull();
  expect(remarksOn(await financesOf(practice, caseId())).map(({ text }) => text)).toContainEqual(
    expect.stringContaining("How much of “Flat” belongs to"),
  );
  for (const partyId of [P1(), P2()]) {
    const { version } = await financesOf(practice, caseId());
    const share = { caseId: caseId(), version, figureIds: [id], partyId, amountMinor: 15_000_000, on: TODAY() };
    await finances().agree.mutate(share);
  }
  expect(await ownOf()).toBe(15_000_000);
});

test("finances.addFigure: a paper that is the other participant's alone, when it is to show the figure, is refused", async () => {
  const paper = await storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from("statement")]), {
    clientId: null,
    caseId: caseId(),
    name: "Statement.txt",
    visibility: forParty(P2()),
  });
  expect(await refused(enter(practice, caseId(), P1(), { evidenceFileId: paper.id }))).toContain("another participant");
  await enter(practice, caseId(), P2(), { evidenceFileId: paper.id });
});
