// Junk that comes by many networks at once, and what it leaves of a form for everybody else.
import { newId } from "@app/server/core/ids";
import { DAY_MS } from "@app/server/core/clock";
import { SubmissionModel } from "@app/server/features/submissions/submissions.model";
import { beforeEach, expect, test } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aPractice, aVisitor } from "../support/server/people.ts";
import { aFormLink, answered, aPublishedForm, generalPlace, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(() => forgetAttempts());

/** What a form takes at once. */
const TAKEN_AT_ONCE = 60;
const from = (address: string) => aVisitor(app, { "x-forwarded-for": address });
/** Each within no network of another. */
const strangers = (count: number) => Array.from({ length: count }, (_, index) => from(`${index + 20}.7.0.9`));
const somebodyElse = () => from("203.0.113.9");

const generalForm = async () => generalPlace(practice, (await aPublishedForm(practice)).id);
type Place = Awaited<ReturnType<typeof generalForm>>;

const tokenOf = async (place: Place) =>
  (await from("198.51.100.7").api.submissions.filling.open.mutate(place)).formToken;

const sendAs = (visitor: ReturnType<typeof from>, place: Place, formToken: string, answers = { town: "Hull" }) =>
  visitor.api.submissions.filling.submit.mutate({
    ...place,
    number: 1,
    revision: 0,
    changes: answered(answers),
    pageId: null,
    id: newId(),
    formToken,
    website: "",
  });

/** One after the other. */
async function codesOf(
  visitors: ReturnType<typeof strangers>,
  send: (one: ReturnType<typeof from>) => Promise<unknown>,
) {
  const codes: string[] = [];
  for (const one of visitors) codes.push((await refusal(send(one))).code);
  return codes;
}

async function usedToken(place: Place) {
  const token = await tokenOf(place);
  moveTime(5000);
  await sendAs(from("198.51.100.8"), place, token);
  return token;
}

test.each([
  ["is forged", async () => "x".repeat(60), 5000, "Hull"],
  ["is too old", tokenOf, DAY_MS + 5000, "Hull"],
  ["was used", usedToken, 5000, "Hull"],
  ["brings no answer that can be taken", tokenOf, 5000, ""],
])(
  "filling.submit: a page that %s, when many networks send by it, takes nothing from others",
  async (_what, make, ageMs, town) => {
    const place = await generalForm();
    const token = await make(place);
    moveTime(ageMs);
    const codes = await codesOf(strangers(TAKEN_AT_ONCE + 10), (one) => sendAs(one, place, token, { town }));
    expect(codes).not.toContain("TOO_MANY_REQUESTS");
    expect(await submit(somebodyElse(), place, { town: "York" })).toMatchObject({ state: "sent" });
  },
);

test("filling.submit: a page that was just loaded, when many networks send by it, takes nothing from others", async () => {
  const place = await generalForm();
  moveTime(0);
  const token = await tokenOf(place);
  const codes = await codesOf(strangers(TAKEN_AT_ONCE + 10), (one) => sendAs(one, place, token));
  expect(new Set(codes)).toEqual(new Set(["PRECONDITION_FAILED"]));
  expect(await submit(somebodyElse(), place, { town: "York" })).toMatchObject({ state: "sent" });
});

test.each([
  ["IPv6 line", (index: number) => `2001:db8:77:${index.toString(16)}::1`, 10],
  ["IPv6 provider", (index: number) => `2001:db8:${index.toString(16)}::1`, 20],
  ["IPv4 neighbourhood", (index: number) => `198.18.${index}.1`, 20],
])(
  "filling.submit: the networks of one %s, when each sends by a good page, leave others able to send",
  async (_what, addressOf, most) => {
    const place = await generalForm();
    const tokens: string[] = [];
    for (let index = 0; index < TAKEN_AT_ONCE; index += 1) tokens.push(await tokenOf(place));
    moveTime(5000);
    const refusals = await Promise.all(
      tokens.map((token, index) => refusal(sendAs(from(addressOf(index)), place, token))),
    );
    const stopped = refusals.filter(({ code }) => code === "TOO_MANY_REQUESTS");
    expect(stopped[0]?.message).toMatch(/^Too much was sent just now by customers of your internet provider\. /);
    const kept = await SubmissionModel.countDocuments({ ownerId: practice.ownerId, status: "submitted" });
    expect(kept).toBeGreaterThanOrEqual(most);
    expect(kept).toBeLessThan(most + 10);
    expect(await submit(somebodyElse(), place, { town: "York" })).toMatchObject({ state: "sent" });
  },
);

test("filling.submit: a form that very many send, when it takes no more, says so without a word of anybody's network", async () => {
  const form = await aPublishedForm(practice);
  const place = await generalPlace(practice, form.id);
  const own = await aFormLink(practice, { formId: form.id });
  const crowd = strangers(TAKEN_AT_ONCE + 30);
  const tokens: string[] = [];
  for (const _ of crowd) tokens.push(await tokenOf(place));
  moveTime(5000);
  const refusals = await Promise.all(crowd.map((one, index) => refusal(sendAs(one, place, tokens[index] ?? ""))));
  const [stopped] = refusals.filter(({ code }) => code === "TOO_MANY_REQUESTS");
  expect(stopped?.message).toMatch(
    /^Many people are sending this form at the moment\. What you typed is still here: try again in \d+ seconds?\.$/,
  );
  expect(await submit(somebodyElse(), own.place, { town: "York" })).toMatchObject({ state: "sent" });
});
