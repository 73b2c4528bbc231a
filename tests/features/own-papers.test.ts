// A leaflet that was given to one party: the practice's own, and nobody's confidence.
import { newId } from "@app/server/core/ids";
import { FileModel } from "@app/server/features/files/files.model";
import { HistoryModel } from "@app/server/features/history/history.model";
import { caucusOf, forParty, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice));

interface How {
  isOurOwn?: boolean;
  isFinancial?: boolean;
  content?: string;
}
async function upload(visibility: Visibility, how: How = {}, person: Pick<TestPerson, "cookies"> = practice) {
  const { isOurOwn, isFinancial, content = "What to bring to a first meeting" } = how;
  const mark = isFinancial ? { mark: { privilege: "open", isFinancial } } : {};
  const place = { clientId: null, caseId: built.theCase.id };
  const input = { id: newId(), name: "checklist.txt", ...place, visibility, isOurOwn, ...mark };
  const response = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
    method: "POST",
    headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/octet-stream" },
    body: content,
  });
  return { status: response.status, answer: JSON.parse(await response.text()) };
}
const [one, other] = [() => forParty(built.p1.partyId), () => forParty(built.p2.partyId)];
/** For the same eyes, in nobody's confidence. */
const inNobodys = (visibility: Visibility): Visibility => ({ ...visibility, aboutPartyIds: [] });

test("POST /files: a paper that is said to be the practice's own is kept for one, for the other, for all, and released without a consent", async () => {
  const first = (await upload(inNobodys(one()), { isOurOwn: true })).answer;
  expect(first).toMatchObject({ isOurOwn: true });
  for (const visibility of [inNobodys(other()), SHARED])
    expect((await upload(visibility, { isOurOwn: true })).status).toBe(201);
  const leaflet = (await upload(inNobodys(one()), { isOurOwn: true, content: "A leaflet" })).answer;
  const released = { id: leaflet.id, newId: newId(), readers: inNobodys(other()), consent: null };
  expect(await practice.api.files.release.mutate(released)).toMatchObject({
    visibility: inNobodys(other()),
    consent: null,
  });
  const told = await HistoryModel.find({ ownerId: practice.ownerId, kind: "file" }).lean();
  expect(told.map(({ text }) => text)).toContain("File added as the practice’s own: checklist.txt");
});

test("POST /files: what is on file for one alone, when it is said to be the practice's own, goes to nobody else: it may be theirs", async () => {
  for (const visibility of [one(), inNobodys(one())]) {
    const content = JSON.stringify(visibility);
    expect((await upload(visibility, { content })).status).toBe(201);
    for (const wider of [inNobodys(other()), SHARED])
      expect((await upload(wider, { isOurOwn: true, content })).status).toBe(400);
    const kept = await upload(PRACTICE_ONLY, { isOurOwn: true, content });
    if (kept.status !== 201) continue;
    const release = { id: kept.answer.id, newId: newId(), readers: SHARED, consent: null };
    expect((await refusal(practice.api.files.release.mutate(release))).code).toBe("BAD_REQUEST");
  }
});

test("files.update: that it is the practice's own, when it is taken back or marked as finances, holds no more, and a release asks for the consent", async () => {
  const asks = async (change: object, content: string) => {
    const { id, version, name } = (await upload(inNobodys(one()), { isOurOwn: true, content })).answer;
    const fields = { id, version, name, tags: [], visibility: inNobodys(one()) };
    await practice.api.files.update.mutate({ ...fields, ...change });
    return (await refusal(practice.api.files.release.mutate({ id, newId: newId(), readers: SHARED, consent: null })))
      .fields;
  };
  expect(await asks({ isOurOwn: false }, "What she wrote")).toHaveProperty("consent");
  const isFinancial = { privilege: "open", isFinancial: true };
  expect(await asks({ mark: isFinancial, markReason: "It is her payslip" }, "A payslip")).toHaveProperty("consent");
});

test("POST /files: what is in somebody's confidence, when it is said to be the practice's own, goes to nobody else", async () => {
  await upload(caucusOf(built.p1.partyId), { content: "I would take half" });
  for (const visibility of [inNobodys(other()), SHARED])
    expect((await upload(visibility, { isOurOwn: true, content: "I would take half" })).status).toBe(400);
  expect((await upload(caucusOf(built.p1.partyId), { isOurOwn: true })).status).toBe(400);
  expect((await upload(inNobodys(one()), { isOurOwn: true, isFinancial: true })).status).toBe(400);
  await upload(one(), { isFinancial: true, content: "My bank account" });
  expect((await upload(SHARED, { isOurOwn: true, content: "My bank account" })).status).toBe(400);
});

test("POST /files: that it is the practice's own, when staff say so who do not answer for the case, is refused", async () => {
  await upload(one());
  const clerk = await aStaffUser(app, practice, { permissions: ["clients.read", "documents.manage"] });
  expect(await upload(inNobodys(other()), { isOurOwn: true }, clerk)).toMatchObject({ status: 400 });
  expect(await upload(PRACTICE_ONLY, { isOurOwn: true, content: "Another" }, clerk)).toMatchObject({ status: 400 });
});

test("files.release: what was for one party alone, when nobody said that it is the practice's own, still asks for their consent", async () => {
  const { answer } = await upload(one());
  const released = practice.api.files.release.mutate({ id: answer.id, newId: newId(), readers: SHARED, consent: null });
  expect(await refusal(released)).toMatchObject({ fields: { consent: expect.stringContaining("consent") } });
});

test("files.release: of eight colleagues who release one file at the same moment, one makes a copy and the others hear why not", async () => {
  const { answer } = await upload(caucusOf(built.p1.partyId), { content: "We would take the car" });
  const releasing = Array.from({ length: 8 }, () => {
    const consent = { grantedByPartyId: built.p1.partyId, at: new Date().toISOString(), how: "By phone" };
    return refusal(practice.api.files.release.mutate({ id: answer.id, newId: newId(), readers: SHARED, consent }));
  });
  const refusals = (await Promise.all(releasing)).filter(({ code }) => code !== "");
  expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 7 }, () => "CONFLICT"));
  expect(await FileModel.countDocuments({ ownerId: practice.ownerId, releasedFromId: answer.id })).toBe(1);
});
