// Rows of a repeat group that two screens fill in at the same time.
import { rowsOf } from "@app/shared/form-answers";
import { mergeRows, ROW_ID, rowIdOf, type RowTouch, touchesBetween, withRowIds } from "@app/shared/form-rows";
import { expect, test } from "vitest";
import { aFormContent, aFormPage, aGroup, aShortText } from "../support/server/forms.ts";
import { aPractice, aVisitor } from "../support/server/people.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aFormLink, aPublishedForm, save, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const visitor = () => aVisitor(app);

async function aPlace() {
  const content = aFormContent([aFormPage("first", [aGroup("homes", [aShortText("road"), aShortText("worth")])])]);
  const form = await aPublishedForm(practice, content);
  return (await aFormLink(practice, { formId: form.id })).place;
}
type Place = Awaited<ReturnType<typeof aPlace>>;
type Row = Record<string, string>;

const saveRows = (
  place: Place,
  { revision, rows, touched, agoMs = 0 }: { revision: number; rows: Row[]; touched: RowTouch[]; agoMs?: number },
) =>
  visitor().api.submissions.filling.save.mutate({
    ...place,
    number: 1,
    revision,
    pageId: "first",
    changes: [
      {
        fieldId: "homes",
        answer: rows.length > 0 ? rows : null,
        agoMs,
        rows: touched.map((touch) => ({ ...touch, agoMs })),
      },
    ],
  });
const roadsOf = async (place: Place) =>
  rowsOf((await visitor().api.submissions.filling.open.mutate(place)).answers["homes"]).map(({ road }) => road);

const LONG = { [ROW_ID]: "a", road: "Long Lane" };
const DESK = { [ROW_ID]: "b", road: "Desk Road" };
const PHONE = { [ROW_ID]: "c", road: "Phone Street" };
const begin = (place: Place) => saveRows(place, { revision: 0, rows: [LONG], touched: [{ rowId: "a", part: null }] });
const added = (rowId: string): RowTouch[] => [{ rowId, part: null }];

test("filling.save: two screens, when each adds a row to the same question, keep both and show the sender the other", async () => {
  const place = await aPlace();
  await begin(place);
  await saveRows(place, { revision: 1, rows: [LONG, DESK], touched: added("b") });
  const late = await saveRows(place, { revision: 1, rows: [LONG, PHONE], touched: added("c") });
  expect(late.newer).toEqual({ homes: [LONG, PHONE, DESK] });
  expect(await roadsOf(place)).toEqual(["Long Lane", "Phone Street", "Desk Road"]);
});

test("filling.save: a row that one screen took out, when another one answers in it later, comes back with that, and by nothing older", async () => {
  const place = await aPlace();
  await begin(place);
  await saveRows(place, { revision: 1, rows: [LONG, DESK], touched: added("b") });
  await saveRows(place, { revision: 2, rows: [DESK], touched: added("a") });
  const typed = { rows: [{ ...LONG, worth: "much" }, DESK], touched: [{ rowId: "a", part: "worth" }] };
  const earlier = await saveRows(place, { revision: 2, ...typed, agoMs: 60_000 });
  expect(earlier.newer).toEqual({ homes: [DESK] });
  // What added it once more is an older save, whose answer got lost.
  await saveRows(place, { revision: 1, rows: [LONG], touched: added("a"), agoMs: 60_000 });
  expect(await roadsOf(place)).toEqual(["Desk Road"]);
  const later = await saveRows(place, { revision: 2, ...typed });
  expect(later.newer).toEqual({});
  expect(await roadsOf(place)).toEqual(["Long Lane", "Desk Road"]);
});

test("filling.save: a row that one screen answered in, when another one took it out before but says so later, stays", async () => {
  const place = await aPlace();
  await begin(place);
  await saveRows(place, {
    revision: 1,
    rows: [{ ...LONG, worth: "much" }],
    touched: [{ rowId: "a", part: "worth" }],
  });
  await saveRows(place, { revision: 1, rows: [], touched: added("a"), agoMs: 60_000 });
  expect(await roadsOf(place)).toEqual(["Long Lane"]);
});

test("touchesBetween: a row that is brought back answers nothing anew, so that words typed elsewhere since stand", () => {
  const back = touchesBetween([], [LONG]);
  expect(back).toEqual([{ rowId: "a", part: null }]);
  expect(mergeRows([{ ...LONG, road: "Longer Lane" }], [LONG], back)).toEqual([{ ...LONG, road: "Longer Lane" }]);
});

test("filling.save: one row, when two screens change it, takes of each question in it the later answer", async () => {
  const place = await aPlace();
  await begin(place);
  await saveRows(place, {
    revision: 1,
    rows: [{ ...LONG, road: "Longer Lane" }],
    touched: [{ rowId: "a", part: "road" }],
  });
  const late = await saveRows(place, {
    revision: 1,
    rows: [{ ...LONG, road: "Short Lane", worth: "much" }],
    touched: [
      { rowId: "a", part: "road" },
      { rowId: "a", part: "worth" },
    ],
    agoMs: 60 * 60_000,
  });
  expect(late.newer).toEqual({ homes: [{ [ROW_ID]: "a", road: "Longer Lane", worth: "much" }] });
});

test("filling.open: rows of before they had ids, when two screens open them, have the same ones and are merged by them", async () => {
  const place = await aPlace();
  await save(visitor(), place, { homes: [{ road: "Long Lane" }, { road: "Desk Road" }] });
  const opened = rowsOf((await visitor().api.submissions.filling.open.mutate(place)).answers["homes"]);
  const [first, second] = opened.map(rowIdOf);
  expect(new Set([first, second, ""]).size).toBe(3);
  await saveRows(place, {
    revision: 1,
    rows: [{ [ROW_ID]: second ?? "", road: "Desk Road" }],
    touched: added(first ?? ""),
  });
  await saveRows(place, {
    revision: 1,
    rows: [
      { [ROW_ID]: first ?? "", road: "Long Lane" },
      { [ROW_ID]: second ?? "", road: "Desk Road", worth: "much" },
    ],
    touched: [{ rowId: second ?? "", part: "worth" }],
  });
  expect(await roadsOf(place)).toEqual(["Desk Road"]);
});

test("filling.submit: rows with ids, when they are sent in, are kept without them", async () => {
  const place = await aPlace();
  await begin(place);
  expect(await submit(visitor(), place, {})).toMatchObject({ state: "sent" });
  const { items } = await practice.api.submissions.list.query({});
  const read = await practice.api.submissions.get.query({ id: items[0]?.id ?? "" });
  expect(JSON.stringify(read.pages)).toContain("Long Lane");
  expect(JSON.stringify(read.pages)).not.toContain(ROW_ID);
});

test("withRowIds: of two rows with one id each has one of its own, so that none is taken for the other", () => {
  const rows = withRowIds([LONG, { ...LONG, road: "Desk Road" }, { road: "Phone Street" }]);
  expect(rows.map(({ road }) => road)).toEqual(["Long Lane", "Desk Road", "Phone Street"]);
  expect(new Set(rows.map(rowIdOf)).size).toBe(3);
});
