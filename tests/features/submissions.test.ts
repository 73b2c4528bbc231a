import type { Submitted } from "@app/shared/submissions";
import { newId } from "@app/server/core/ids";
import { FormLinkModel } from "@app/server/features/submissions/form-links.model";
import { contentOf, SubmissionModel } from "@app/server/features/submissions/submissions.model";
import { DAY_MS } from "@app/server/core/clock";
import { describe, expect, test } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { aFormContent, aFormPage, aShortText, when } from "../support/server/forms.ts";
import { aPractice, aStaffUser, aVisitor } from "../support/server/people.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import {
  aFormLink,
  aPublishedForm,
  fillableContent,
  generalPlace,
  save,
  submit,
} from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
let networks = 0;
/** Somebody behind a network of their own. */
const somebody = () =>
  aVisitor(app, { "x-forwarded-for": `10.9.${Math.floor((networks += 1) / 250)}.${networks % 250}` });
const visitor = () => aVisitor(app);
const storedOf = (ownerId: string) => SubmissionModel.find({ ownerId }).lean();

describe("the address of a form", () => {
  test("filling.open: a link of one client, when it is opened, shows the form and notes that it was", async () => {
    const form = await aPublishedForm(practice);
    const link = await aFormLink(practice, { formId: form.id });
    expect(link.state).toBe("made");
    const opened = await visitor().api.submissions.filling.open.mutate(link.place);
    expect(opened).toMatchObject({ practiceName: practice.practiceName, number: 1, isSent: false, answers: {} });
    expect(await practice.api.submissions.openLink.query({ id: link.id })).toMatchObject({ state: "opened" });
  });

  test("filling.open: what the practice makes of the answers, when it is opened, is not in what is shown", async () => {
    const content = aFormContent([
      aFormPage("first", [
        aShortText("town", {
          mapTo: "client.needs",
          sensitivity: "screening",
          flag: { when: when("town", "is_set"), text: "CANARY" },
        }),
      ]),
    ]);
    const { id } = await aPublishedForm(practice, content);
    const { place } = await aFormLink(practice, { formId: id });
    const opened = await visitor().api.submissions.filling.open.mutate(place);
    expect(JSON.stringify(opened)).not.toContain("CANARY");
    expect(opened.content.pages[0]?.fields[0]).toMatchObject({ mapTo: null, flag: null, sensitivity: null });
    expect(opened.content).not.toHaveProperty("readers");
  });

  test("filling: a pair that is wrong, mixed, over or taken back, whatever is asked, gets one identical answer", async () => {
    const [form, other] = [await aPublishedForm(practice), await aPublishedForm(practice)];
    const strange = await aPractice(app);
    const strangeForm = await aPublishedForm(strange);
    const good = await aFormLink(practice, { formId: form.id });
    const over = await aFormLink(practice, { formId: form.id });
    const revoked = await aFormLink(practice, { formId: form.id });
    await FormLinkModel.updateOne(
      { ownerId: practice.ownerId, _id: over.id },
      { $set: { expiresAt: new Date(Date.now() - 1000) } },
    );
    await practice.api.submissions.revokeLink.mutate({ id: revoked.id });
    const general = await generalPlace(practice, form.id);
    const pairs = [
      over.place,
      revoked.place,
      { formId: newId(), userId: newId() },
      { formId: good.place.formId, userId: newId() },
      { formId: newId(), userId: good.place.userId },
      { formId: form.id, userId: good.place.userId },
      { formId: other.publicId, userId: good.place.userId },
      { formId: strangeForm.publicId, userId: good.place.userId },
      { formId: strangeForm.publicId, userId: general.userId },
      { formId: general.formId, userId: practice.ownerId },
    ];
    const answers = new Set<string>();
    for (const pair of pairs) {
      const { api } = visitor();
      const sent = { ...pair, number: 1, revision: 0, changes: [], pageId: null };
      const asking = [
        () => api.submissions.filling.open.mutate(pair),
        () => api.submissions.filling.save.mutate(sent),
        () => api.submissions.filling.submit.mutate({ ...sent, id: newId(), formToken: "x", website: "" }),
        () => api.submissions.filling.removeFile.mutate({ ...pair, id: newId() }),
      ];
      for (const ask of asking) answers.add(JSON.stringify(await refusal(ask())));
    }
    expect([...answers].map((answer) => JSON.parse(answer).code)).toEqual(["NOT_FOUND"]);
    await visitor().api.submissions.filling.open.mutate(good.place);
  });

  test("links: what is stored of one, when the database is read, opens nothing", async () => {
    const form = await aPublishedForm(practice);
    const { id, place } = await aFormLink(practice, { formId: form.id });
    const doc = await FormLinkModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();
    expect(JSON.stringify(doc)).not.toContain(place.userId);
    expect(place.userId).toMatch(/^[\w-]{43}$/);
  });

  test("filling: safety questions by the general address, whoever has it already, are closed, and Share gives none", async () => {
    const form = await aPublishedForm(practice, fillableContent(), { kind: "screening" });
    const refused = await refusal(practice.api.submissions.generalAddress.query({ id: form.id }));
    expect(refused).toMatchObject({ code: "PRECONDITION_FAILED", message: expect.stringContaining("send them") });
    const other = await generalPlace(practice, (await aPublishedForm(practice)).id);
    const place = { formId: form.publicId, userId: other.userId };
    expect(await somebody().api.submissions.filling.open.mutate(place)).toMatchObject({
      needsOwnLink: true,
      emergencyNumber: "999",
    });
    const own = { code: "PRECONDITION_FAILED", message: expect.stringContaining("a link of your own") };
    expect(await refusal(save(somebody(), place, { town: "Hull" }))).toMatchObject(own);
    expect(await refusal(submit(somebody(), place, { town: "Hull" }))).toMatchObject(own);
    const { place: personal } = await aFormLink(practice, { formId: form.id });
    expect(await somebody().api.submissions.filling.open.mutate(personal)).toMatchObject({ needsOwnLink: false });
    expect(await submit(somebody(), personal, { town: "Hull" })).toMatchObject({ state: "sent" });
  });

  test("filling.open: an archived form, when it was begun, goes on, and is begun by nobody else", async () => {
    const form = await aPublishedForm(practice);
    const [begun, fresh] = [
      await aFormLink(practice, { formId: form.id }),
      await aFormLink(practice, { formId: form.id }),
    ];
    await save(visitor(), begun.place, { town: "Hull" });
    await practice.api.forms.setStatus.mutate({ id: form.id, isArchived: true });
    expect((await visitor().api.submissions.filling.open.mutate(begun.place)).answers).toEqual({ town: "Hull" });
    expect(await refusal(visitor().api.submissions.filling.open.mutate(fresh.place))).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("saving", () => {
  test("filling.save: on another browser, when the link is opened there, all is there and on the page where they stopped", async () => {
    const form = await aPublishedForm(practice);
    const { id, place } = await aFormLink(practice, { formId: form.id });
    await save(visitor(), place, { town: "Hull" }, { pageId: "second" });
    const opened = await visitor().api.submissions.filling.open.mutate(place);
    expect(opened).toMatchObject({ answers: { town: "Hull" }, pageId: "second", revision: 1, leadsBack: true });
    expect(await practice.api.submissions.openLink.query({ id })).toMatchObject({ state: "half_done" });
    const [doc] = await storedOf(practice.ownerId);
    expect(JSON.stringify(doc)).not.toContain("Hull");
  });

  test("filling.save: two browsers, when the older state is saved last, keep the newer answer of each question", async () => {
    const form = await aPublishedForm(practice);
    const { place } = await aFormLink(practice, { formId: form.id });
    const [phone, laptop] = [visitor(), visitor()];
    await save(phone, place, { town: "Hull", needs: "A ramp" });
    // The laptop starts from the same state, and answers later.
    await save(laptop, place, { town: "York" }, { revision: 1 });
    // The phone was without a line: its answer to the same question is an hour old, the other one its own.
    const late = await save(phone, place, { town: "Leeds", needs: "No stairs" }, { revision: 1, agoMs: 60 * 60_000 });
    expect(late.newer).toEqual({ town: "York" });
    const opened = await visitor().api.submissions.filling.open.mutate(place);
    expect(opened.answers).toEqual({ town: "York", needs: "No stairs" });
  });

  test("filling.save: an answer that is newer than what another browser gave, when it arrives, takes its place", async () => {
    const form = await aPublishedForm(practice);
    const { place } = await aFormLink(practice, { formId: form.id });
    await save(visitor(), place, { town: "Hull" }, { agoMs: 5000 });
    await save(visitor(), place, { town: "York" }, { revision: 0 });
    expect((await visitor().api.submissions.filling.open.mutate(place)).answers).toEqual({ town: "York" });
  });

  test("filling.save: twelve at once from one state, when each answers or not, lose nothing", async () => {
    const form = await aPublishedForm(practice);
    const { place } = await aFormLink(practice, { formId: form.id });
    const fields = ["town", "needs", "children", "private"];
    const values = { town: "Hull", needs: "A ramp", children: "yes", private: "words" } as const;
    await Promise.all(fields.map((field) => save(visitor(), place, { [field]: Reflect.get(values, field) })));
    expect((await visitor().api.submissions.filling.open.mutate(place)).answers).toEqual(values);
  });

  test("filling.save: by the general address, when it is saved, a link that leads back is given once", async () => {
    const form = await aPublishedForm(practice);
    const general = await generalPlace(practice, form.id);
    const { resumeId } = await save(somebody(), general, { town: "Hull" });
    const place = { formId: general.formId, userId: resumeId ?? "" };
    const again = await save(somebody(), place, { needs: "A ramp" }, { revision: 1 });
    expect(again.resumeId).toBeNull();
    expect((await somebody().api.submissions.filling.open.mutate(place)).answers).toEqual({
      town: "Hull",
      needs: "A ramp",
    });
    expect((await somebody().api.submissions.filling.open.mutate(general)).answers).toEqual({});
  });

  test("filling.save: what no question asks, when it is sent, is not kept", async () => {
    const form = await aPublishedForm(practice);
    const { place } = await aFormLink(practice, { formId: form.id });
    await save(visitor(), place, { town: "Hull", nobody_asked: "x" });
    expect((await visitor().api.submissions.filling.open.mutate(place)).answers).toEqual({ town: "Hull" });
  });

  test("filling.save: a later version of the form, when somebody has begun, leaves them theirs", async () => {
    const form = await aPublishedForm(practice);
    const { place } = await aFormLink(practice, { formId: form.id });
    await save(visitor(), place, { town: "Hull" });
    const content = aFormContent([aFormPage("only", [aShortText("other")])]);
    await practice.api.forms.save.mutate({ id: form.id, version: 0, name: form.name, content });
    await practice.api.forms.publish.mutate({ id: form.id, version: 1, changeId: newId() });
    expect(await visitor().api.submissions.filling.open.mutate(place)).toMatchObject({ number: 1 });
    const atWork = () => practice.api.submissions.inProgress.query({ id: form.id });
    expect(await atWork()).toEqual({ versions: [{ number: 1, count: 1 }] });
    const clerk = await aStaffUser(app, practice, { permissions: ["clients.read", "forms.manage"] });
    const limited = await aStaffUser(app, practice, { permissions: ["clients.read", "forms.manage", "assigned_only"] });
    expect(await clerk.api.submissions.inProgress.query({ id: form.id })).toEqual(await atWork());
    expect(await limited.api.submissions.inProgress.query({ id: form.id })).toEqual({ versions: [] });
    const screening = await aPublishedForm(practice, content, { kind: "screening" });
    await save(
      visitor(),
      (await aFormLink(practice, { formId: screening.id })).place,
      { other: "Yes" },
      { pageId: "only" },
    );
    expect((await practice.api.submissions.inProgress.query({ id: screening.id })).versions).toHaveLength(1);
    expect(await clerk.api.submissions.inProgress.query({ id: screening.id })).toEqual({ versions: [] });
    expect(await submit(visitor(), place, {})).toMatchObject({ state: "sent" });
    const doc = (await storedOf(practice.ownerId)).find(({ formId }) => formId === form.id);
    expect(doc).toMatchObject({ formNumber: 1, status: "submitted" });
    expect(await atWork()).toEqual({ versions: [] });
  });
});

type Place = Awaited<ReturnType<typeof generalPlace>>;
const resumeIdOf = async (place: Place) => (await save(somebody(), place, { town: "Hull" })).resumeId ?? "";

const aSending = (place: Place, formToken: string) => ({
  ...place,
  number: 1,
  revision: 1,
  changes: [{ fieldId: "town", answer: "Hull", agoMs: 0 }],
  pageId: null,
  id: newId(),
  formToken,
  website: "",
});

/** Each answer has a way of its own to the same receipt. */
const besidesReceipt = (answer: Submitted): string => JSON.stringify({ ...answer, receipt: null });

describe("sending", () => {
  test("filling.submit: what is missing, when it is sent, is told, and everything stays", async () => {
    const form = await aPublishedForm(practice);
    const { place } = await aFormLink(practice, { formId: form.id });
    expect(await submit(visitor(), place, { children: "no" })).toEqual({
      state: "problems",
      problems: [{ path: ["town"], message: "Answer this question" }],
    });
    expect((await visitor().api.submissions.filling.open.mutate(place)).answers).toEqual({ children: "no" });
  });

  test("filling.submit: what is not asked any more, when it is sent, is dropped", async () => {
    const form = await aPublishedForm(practice);
    const { place } = await aFormLink(practice, { formId: form.id });
    await submit(visitor(), place, { town: "Hull", children: "no", names: "Ada" });
    const [doc] = await storedOf(practice.ownerId);
    expect(doc && contentOf(doc).answers).toEqual({ town: "Hull", children: "no" });
  });

  test("filling.submit: the same sending twice, also at once, arrives once with one answer", async () => {
    const form = await aPublishedForm(practice);
    const general = await generalPlace(practice, form.id);
    const person = somebody();
    const { formToken } = await person.api.submissions.filling.open.mutate(general);
    moveTime(5000);
    const sending = {
      ...general,
      number: 1,
      revision: 0,
      changes: [{ fieldId: "town", answer: "Hull", agoMs: 0 }],
      pageId: null,
      id: newId(),
      formToken,
      website: "",
    };
    const answers = await Promise.all([1, 2, 3].map(() => person.api.submissions.filling.submit.mutate(sending)));
    expect(new Set(answers.map(besidesReceipt)).size).toBe(1);
    const [first] = answers.map(besidesReceipt);
    expect(besidesReceipt(await person.api.submissions.filling.submit.mutate(sending))).toBe(first);
    const sent = (await storedOf(practice.ownerId)).filter(({ status }) => status === "submitted");
    expect(sent.length).toBe(1);
  });

  test("filling.submit: the same sending by a link of one's own, nine times at once, is answered alike each time", async () => {
    const form = await aPublishedForm(practice);
    const { place } = await aFormLink(practice, { formId: form.id });
    const { api } = somebody();
    const { formToken } = await api.submissions.filling.open.mutate(place);
    moveTime(5000);
    const changes = [{ fieldId: "town", answer: "Hull", agoMs: 0 }];
    const sending = { ...place, number: 1, revision: 0, changes, pageId: null, id: newId(), formToken, website: "" };
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => somebody().api.submissions.filling.submit.mutate(sending)),
    );
    expect(new Set(answers.map(besidesReceipt)).size).toBe(1);
    expect(answers[0]).toMatchObject({ state: "sent" });
  });

  test("filling.submit: one sending with a token of its own each time, at once, is one submission", async () => {
    const form = await aPublishedForm(practice);
    const general = await generalPlace(practice, form.id);
    const people = Array.from({ length: 6 }, () => somebody().api.submissions.filling);
    const opened = await Promise.all(people.map((one) => one.open.mutate(general)));
    moveTime(5000);
    const changes = [{ fieldId: "town", answer: "Hull", agoMs: 0 }];
    const sending = { ...general, number: 1, revision: 0, changes, pageId: null, id: newId(), website: "" };
    const answers = await Promise.all(
      people.map((one, at) => one.submit.mutate({ ...sending, formToken: opened[at]?.formToken ?? "" })),
    );
    expect(new Set(answers.map(besidesReceipt)).size).toBe(1);
    const sent = (await storedOf(practice.ownerId)).filter(({ status }) => status === "submitted");
    expect(sent.length).toBe(1);
  });

  test.each([
    ["at once", async (place: Place) => place],
    ["from what was saved", async (place: Place) => ({ ...place, userId: await resumeIdOf(place) })],
  ])("filling.submit: a page that was loaded once, when several send %s by it, sends one", async (_how, placeOf) => {
    const general = await generalPlace(practice, (await aPublishedForm(practice)).id);
    const { formToken } = await somebody().api.submissions.filling.open.mutate(general);
    const places = await Promise.all(Array.from({ length: 4 }, () => placeOf(general)));
    moveTime(5000);
    const sendings = places.map((place) => ({ ...aSending(place, formToken), id: newId() }));
    const codes = await Promise.all(
      sendings.map(async (one) => (await refusal(somebody().api.submissions.filling.submit.mutate(one))).code),
    );
    expect(codes.filter((code) => code === "CONFLICT").length).toBe(3);
    const again = { ...aSending(general, formToken), id: newId() };
    expect(await refusal(somebody().api.submissions.filling.submit.mutate(again))).toMatchObject({ code: "CONFLICT" });
    const sent = (await storedOf(practice.ownerId)).filter(({ status }) => status === "submitted");
    expect(sent.length).toBe(1);
  });

  test("filling.submit: the same sending again and again, when its network may send no more, is still answered, and takes nothing", async () => {
    const general = await generalPlace(practice, (await aPublishedForm(practice)).id);
    const { api } = somebody();
    const { formToken } = await api.submissions.filling.open.mutate(general);
    moveTime(5000);
    const sending = aSending(general, formToken);
    for (let times = 0; times < 8; times += 1)
      expect(await api.submissions.filling.submit.mutate(sending)).toMatchObject({ state: "sent" });
    for (let others = 0; others < 4; others += 1) await submit({ api }, general, { town: "York" });
    const codes: string[] = [];
    while (!codes.includes("TOO_MANY_REQUESTS")) codes.push((await refusal(submit({ api }, general, {}))).code);
    expect(await api.submissions.filling.submit.mutate(sending)).toMatchObject({ state: "sent" });
  });

  test("filling.submit: sent in, when the address is opened or saved again, it says so and shows nothing of it", async () => {
    const form = await aPublishedForm(practice);
    const { id, place } = await aFormLink(practice, { formId: form.id });
    await submit(visitor(), place, { town: "Hull" });
    expect(await visitor().api.submissions.filling.open.mutate(place)).toMatchObject({ isSent: true, answers: {} });
    expect(await refusal(save(visitor(), place, { town: "York" }))).toMatchObject({ code: "PRECONDITION_FAILED" });
    expect(await refusal(submit(visitor(), place, { town: "York" }))).toMatchObject({ code: "CONFLICT" });
    expect(await practice.api.submissions.openLink.query({ id })).toMatchObject({ state: "done" });
  });

  test("filling.submit: within three seconds, with a token of another form or after a day, it is refused and stays saved", async () => {
    const form = await aPublishedForm(practice);
    const { place } = await aFormLink(practice, { formId: form.id });
    const { formToken } = await visitor().api.submissions.filling.open.mutate(place);
    const sending = (token: string) =>
      visitor().api.submissions.filling.submit.mutate({
        ...place,
        number: 1,
        revision: 0,
        changes: [{ fieldId: "town", answer: "Hull", agoMs: 0 }],
        pageId: null,
        id: newId(),
        formToken: token,
        website: "",
      });
    expect(await refusal(sending(formToken))).toMatchObject({ code: "PRECONDITION_FAILED" });
    const other = await aFormLink(practice, { formId: (await aPublishedForm(practice)).id });
    const { formToken: strange } = await visitor().api.submissions.filling.open.mutate(other.place);
    moveTime(5000);
    expect(await refusal(sending(strange))).toMatchObject({ code: "PRECONDITION_FAILED" });
    moveTime(DAY_MS + 60_000);
    expect(await refusal(sending(formToken))).toMatchObject({ code: "PRECONDITION_FAILED" });
    expect((await visitor().api.submissions.filling.open.mutate(place)).answers).toEqual({ town: "Hull" });
  });
});

describe("spam", () => {
  test("filling.submit: what looks like spam, when it is sent, is answered alike and kept apart", async () => {
    const form = await aPublishedForm(practice);
    const other = await aPublishedForm(practice);
    const general = await generalPlace(practice, form.id);
    const good = await submit(somebody(), general, { town: "Hull" });
    const links = await submit(somebody(), general, { town: "http://a.example http://b.example www.c.example" });
    const trapped = await submit(somebody(), general, { town: "York" }, { website: "x" });
    // A word that nobody knows is no spam by itself.
    const word = await submit(somebody(), await generalPlace(practice, other.id), { town: "x".repeat(40) });
    expect((await practice.api.submissions.list.query({ formId: other.id, isSuspect: false })).total).toBe(1);
    expect([good.state, links.state, trapped.state, word.state]).toEqual(["sent", "sent", "sent", "sent"]);
    const listed = async (isSuspect: boolean) =>
      (await practice.api.submissions.list.query({ formId: form.id, isSuspect })).total;
    expect([await listed(false), await listed(true)]).toEqual([1, 2]);
    const [one] = (await practice.api.submissions.list.query({ isSuspect: true })).items;
    await practice.api.submissions.setSuspect.mutate({ id: one?.id ?? "", isSuspect: false });
    expect([await listed(false), await listed(true)]).toEqual([2, 1]);
  });

  test("S56: a thousand junk sendings from one network, when they come, leave everybody else able to send", async () => {
    const form = await aPublishedForm(practice);
    const general = await generalPlace(practice, form.id);
    const own = await aFormLink(practice, { formId: form.id });
    const junk = somebody();
    const { formToken } = await junk.api.submissions.filling.open.mutate(general);
    moveTime(5000);
    const send = () =>
      refusal(
        junk.api.submissions.filling.submit.mutate({
          ...general,
          number: 1,
          revision: 0,
          changes: [{ fieldId: "town", answer: "junk", agoMs: 0 }],
          pageId: null,
          id: newId(),
          formToken,
          website: "",
        }),
      );
    const codes: string[] = [];
    for (let round = 0; round < 25; round += 1) {
      const answers = await Promise.all(Array.from({ length: 40 }, send));
      codes.push(...answers.map(({ code }) => code));
    }
    expect(codes.filter((code) => code === "TOO_MANY_REQUESTS").length).toBeGreaterThan(900);
    expect(await submit(somebody(), general, { town: "Hull" })).toMatchObject({ state: "sent" });
    // Also behind the very same network: by a link of their own.
    expect(await submit(junk, own.place, { town: "Hull" })).toMatchObject({ state: "sent" });
    const kept = (await storedOf(practice.ownerId)).filter(({ status }) => status === "submitted");
    expect(kept.length).toBeLessThan(10);
  }, 240_000);
});
