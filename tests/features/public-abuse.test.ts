// What programs and people of ill will send to the forms that anybody can open (security.md, S16 to S60).
import { newId, newToken } from "@app/server/core/ids";
import { SubmissionModel } from "@app/server/features/submissions/submissions.model";
import { describe, expect, test } from "vitest";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aPractice, aVisitor } from "../support/server/people.ts";
import { aFormLink, aPublishedForm, generalPlace, save, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
let networks = 0;
/** As it is, past what our own page would send, each time from another network. */
const post = (procedure: string, body: string) =>
  fetch(`${app.url}/trpc/submissions.filling.${procedure}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": `10.7.${Math.floor((networks += 1) / 250)}.${networks % 250}`,
    },
    body,
  });

async function begun() {
  const form = await aPublishedForm(practice);
  const { place } = await aFormLink(practice, { formId: form.id });
  await save(aVisitor(app), place, { town: "Hull" });
  return { form, place };
}
type Place = Awaited<ReturnType<typeof begun>>["place"];

const inputsAt = (place: Place): Record<string, { [key: string]: Json }> => {
  const change = { fieldId: "town", answer: "York", agoMs: 0 };
  const saved = { ...place, number: 1, revision: 1, changes: [change], pageId: "first" };
  return {
    open: { ...place },
    save: saved,
    submit: { ...saved, id: newId(), formToken: "token", website: "" },
    mailLink: { ...place, changeId: newId(), email: "visitor@example.org" },
    mailReceipt: { receipt: "r".repeat(60), changeId: newId(), email: "visitor@example.org" },
    removeFile: { ...place, id: newId() },
  };
};

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** The same input with each of its leaves in turn replaced. */
function* withEachLeaf(input: Json, bad: Json): Generator<Json> {
  if (isList(input)) {
    for (const [at, one] of input.entries())
      for (const changed of withEachLeaf(one, bad)) yield input.with(at, changed);
  } else if (typeof input === "object" && input !== null) {
    for (const [key, one] of Object.entries(input))
      for (const changed of withEachLeaf(one, bad)) yield { ...input, [key]: changed };
  } else yield bad;
}

const OPERATORS: readonly Json[] = [{ $ne: null }, { $gt: "" }, { $regex: ".*" }, { $where: "1" }];
const stored = async () => JSON.stringify(await SubmissionModel.find({ ownerId: practice.ownerId }).lean());

describe("what no page of ours sends", () => {
  test("S16: an operator in any leaf, whatever is asked, is refused and changes nothing", async () => {
    const { place } = await begun();
    const before = await stored();
    for (const [procedure, input] of Object.entries(inputsAt(place)))
      for (const bad of OPERATORS)
        for (const sent of withEachLeaf(input, bad)) {
          const { status } = await post(procedure, JSON.stringify(sent));
          expect({ procedure, sent, status }).toEqual({ procedure, sent, status: 400 });
        }
    expect(await stored()).toBe(before);
  }, 120_000);

  test.each(["__proto__", "constructor", "prototype"])(
    "S21: %s as a key, when it is sent, is refused or is a key like any other",
    async (key) => {
      const { place } = await begun();
      const saving = { ...place, number: 1, revision: 1, pageId: "first" };
      const answers = [`{"${key}":{"polluted":"yes"}}`, `[{"${key}":"yes"}]`, `{"${key}":"yes"}`];
      for (const answer of answers)
        for (const fieldId of ["town", key]) {
          const change = `{"fieldId":"${fieldId}","agoMs":0,"answer":${answer}}`;
          const response = await post("save", `${JSON.stringify(saving).slice(0, -1)},"changes":[${change}]}`);
          expect([200, 400]).toContain(response.status);
        }
      expect(Reflect.get({}, "polluted")).toBeUndefined();
      const opened = await aVisitor(app).api.submissions.filling.open.mutate(place);
      expect(Reflect.get(opened.answers, "polluted")).toBeUndefined();
      expect(Object.getPrototypeOf(opened.answers)).toBe(Object.prototype);
    },
  );

  test.each<[string, number, () => string]>([
    ["answers of a megabyte", 413, () => JSON.stringify({ changes: "x".repeat(1024 * 1024) })],
    ["ten thousand brackets", 413, () => "[".repeat(10_000) + "]".repeat(10_000)],
    ["no JSON", 400, () => "{"],
    ["ten thousand answers", 400, () => JSON.stringify({ changes: Array.from({ length: 10_000 }, () => ({})) })],
  ])("S22: %s, when they are sent, are refused", async (_what, status, body) => {
    expect((await post("save", body())).status).toBe(status);
  });
});

test("S29: markup and formulas in answers, when they are read, stand there as they were typed", async () => {
  const { place } = await begun();
  const said = `<img src=x onerror=alert(1)> =HYPERLINK("x") </script>{{1}}`;
  expect(await submit(aVisitor(app), place, { town: said, children: "no" })).toMatchObject({ state: "sent" });
  const [row] = (await practice.api.submissions.list.query({})).items;
  const { pages } = await practice.api.submissions.get.query({ id: row?.id ?? "" });
  expect(pages.flatMap(({ lines }) => lines).find(({ fieldId }) => fieldId === "town")?.text).toBe(said);
  const table = await fetch(`${app.url}/export/form-answers.csv?formId=${row?.formId}`, {
    headers: { cookie: practice.cookies(), "sec-fetch-site": "same-origin" },
  });
  expect(await table.text()).toContain(said.replaceAll('"', '""'));
});

describe("S60: the address of a form", () => {
  test("S60: ten thousand secrets of links, when they are made, are 256 bits each and none comes twice", () => {
    const made = new Set(Array.from({ length: 10_000 }, () => newToken()));
    expect(made.size).toBe(10_000);
    for (const token of made) expect(Buffer.from(token, "base64url")).toHaveLength(32);
  });

  test("S60: a form, a booking page and what is behind them, when they are opened, are in no index and tell no other site", async () => {
    const { form, place } = await begun();
    const general = await generalPlace(practice, form.id);
    const pages = [`/form/${place.formId}/${place.userId}`, `/lead-form/${general.formId}/${general.userId}`];
    for (const page of [...pages, `/schedule-meeting/${newToken()}`, "/form-receipts", "/form-pictures/x"]) {
      const { headers } = await fetch(`${app.url}${page}`, { headers: { accept: "text/html" } });
      expect({ page, robots: headers.get("x-robots-tag") }).toEqual({ page, robots: "noindex" });
      expect(["no-referrer", "same-origin"]).toContain(headers.get("referrer-policy"));
    }
  });
});
