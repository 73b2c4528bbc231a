import { newId } from "@app/server/core/ids";
import { settings } from "@app/server/core/settings";
import { SubmissionModel } from "@app/server/features/submissions/submissions.model";
import { FormFileModel } from "@app/server/features/submissions/form-files.model";
import { FileUsageModel } from "@app/server/features/files/files.model";
import type { Field } from "@app/shared/form-fields";
import { readdirSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aFormContent, aFormPage, aShortText } from "../support/server/forms.ts";
import { aPractice, aStaffUser, aVisitor, type TestPerson } from "../support/server/people.ts";
import { aPhoto } from "../support/hostile/photo.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aFormLink, aPublishedForm, save, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const { maxLength: _maxLength, ...base } = aShortText("papers", { sensitivity: "mediator" });
const papers: Field = { ...base, type: "file", atMost: 2 };

async function begun() {
  const content = aFormContent([aFormPage("first", [aShortText("town"), papers])]);
  const form = await aPublishedForm(practice, content);
  const link = await aFormLink(practice, { formId: form.id });
  await save(aVisitor(app), link.place, { town: "Hull" });
  return link;
}
type Place = Awaited<ReturnType<typeof begun>>["place"];

const address = (place: Place, name: string, id = newId(), fieldId = "papers") =>
  `${app.url}/form-files?upload=${encodeURIComponent(JSON.stringify({ ...place, id, fieldId, name }))}`;
const upload = (place: Place, body: string | Buffer<ArrayBuffer>, name: string, id = newId(), fieldId = "papers") =>
  fetch(address(place, name, id, fieldId), {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body,
  });
const spooled = () => {
  try {
    return readdirSync(path.join(settings().dataDir, "spool"));
  } catch {
    return [];
  }
};
const read = (person: TestPerson, id: string) =>
  fetch(`${app.url}/form-files/${id}`, { headers: { cookie: person.cookies(), "sec-fetch-site": "same-origin" } });
const fileOf = async (response: Response): Promise<string> => {
  const answer: unknown = await response.json();
  return typeof answer === "object" && answer !== null && "id" in answer ? String(answer.id) : "";
};

describe("files of a form", () => {
  test.each([
    ["../..\\evil.txt", "..-..-evil.txt"],
    ["Statement: March.txt", "Statement- March.txt"],
    ["What is due?.txt", "What is due-.txt"],
    ['a|b<c>"d"*.txt', "a-b-c-d-.txt"],
    ["one\r\ntwo\u0000.txt", "onetwo.txt"],
    [`${"long ".repeat(60)}.txt`, `${"long ".repeat(39)}l.txt`],
  ])("POST /form-files: a file called %j, when a client adds it, is kept as %j", async (given, kept) => {
    const { place } = await begun();
    const response = await upload(place, "hello", given);
    expect(response.status).toBe(201);
    const opened = await aVisitor(app).api.submissions.filling.open.mutate(place);
    expect(opened.answers["papers"]).toMatchObject([{ name: kept }]);
  });

  test("POST /form-files: a photograph, when it is added and sent in, is the answer, without its place, for whoever may read it", async () => {
    const { place } = await begun();
    const id = await fileOf(await upload(place, aPhoto("51.5 N"), "letter.jpg"));
    const opened = await aVisitor(app).api.submissions.filling.open.mutate(place);
    expect(opened.answers["papers"]).toMatchObject([{ id, name: "letter.jpg" }]);
    const staff = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    // Not sent in yet, so it is nobody else's.
    expect((await read(practice, id)).status).toBe(404);
    await submit(aVisitor(app), place, {});
    const found = await read(practice, id);
    expect(found.status).toBe(200);
    expect(found.headers.get("content-security-policy")).toContain("sandbox");
    expect(Buffer.from(await found.arrayBuffer()).includes("51.5 N")).toBe(false);
    expect((await read(staff, id)).status).toBe(404);
    expect((await read(await aPractice(app), id)).status).toBe(404);
  });

  test.each([
    ["S30: a page", "<script>alert(1)</script>", "x.html"],
    ["S30: a drawing that can run", "<svg onload='x'/>", "x.svg"],
    ["S57: a picture that is a page", "<html>", "x.png"],
    ["S57: nothing", "", "x.txt"],
    ["S57: an archive", "PK", "x.zip"],
  ])("POST /form-files: %s is refused, and nothing of it stays", async (_what, body, name) => {
    const { place } = await begun();
    expect((await upload(place, body, name)).status).toBe(400);
    expect(await FormFileModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
    expect(spooled()).toEqual([]);
  });

  test("POST /form-files: more than the question takes, to another question or by a wrong address, is refused", async () => {
    const { place } = await begun();
    const statuses = [];
    for (const name of ["a.txt", "b.txt", "c.txt"]) statuses.push((await upload(place, name, name)).status);
    expect(statuses).toEqual([201, 201, 400]);
    expect((await upload(place, "x", "x.txt", newId(), "town")).status).toBe(400);
    expect((await upload({ ...place, userId: newId() }, "x", "x.txt")).status).toBe(404);
  });

  test("POST /form-files: five at once, when the question takes two, are two", async () => {
    const { place } = await begun();
    const answers = await Promise.all(["a", "b", "c", "d", "e"].map((text) => upload(place, text, `${text}.txt`)));
    expect(answers.filter(({ status }) => status === 201).length).toBe(2);
    expect(await FormFileModel.countDocuments({ ownerId: practice.ownerId })).toBe(2);
  });

  test("POST /form-files: the same sending twice is one file, and taken out its space is free again", async () => {
    const { place } = await begun();
    const once = newId();
    const id = await fileOf(await upload(place, "papers", "a.txt", once));
    expect(await fileOf(await upload(place, "papers", "a.txt", once))).toBe(id);
    expect((await FileUsageModel.findById(practice.ownerId).lean())?.bytes).toBe(6);
    await aVisitor(app).api.submissions.filling.removeFile.mutate({ ...place, id });
    expect((await FileUsageModel.findById(practice.ownerId).lean())?.bytes).toBe(0);
    expect(await mongoose.connection.collection("file_contents").countDocuments({ ownerId: practice.ownerId })).toBe(0);
  });

  test("filling.save: a file that another screen added, when something is saved, comes back to whoever saves", async () => {
    const { place } = await begun();
    const id = await fileOf(await upload(place, "papers", "bank.txt"));
    const saved = await save(aVisitor(app), place, { town: "York" }, { revision: 1 });
    expect(saved.newer["papers"]).toEqual([{ id, name: "bank.txt", bytes: 6 }]);
  });

  test("filling.submit: files and answers that did not stand on the screen, when it is sent, do not go out unseen", async () => {
    const { place } = await begun();
    const [seen, other] = [
      await fileOf(await upload(place, "a", "a.txt")),
      await fileOf(await upload(place, "b", "b.txt")),
    ];
    const unseen = { code: "CONFLICT", message: expect.stringContaining("another screen") };
    expect(await refusal(submit(aVisitor(app), place, {}, { fileIds: [seen] }))).toMatchObject(unseen);
    const [doc] = await SubmissionModel.find({ ownerId: practice.ownerId }).lean();
    await save(aVisitor(app), place, { town: "York" }, { revision: doc?.revision ?? 0 });
    const old = { revision: doc?.revision ?? 0, fileIds: [seen, other] };
    expect(await refusal(submit(aVisitor(app), place, {}, old))).toMatchObject(unseen);
    expect(await submit(aVisitor(app), place, {}, { fileIds: [other, seen] })).toMatchObject({ state: "sent" });
  });

  test("S59: uploads that break off, when they are many, leave nothing", async () => {
    const { place } = await begun();
    const breakOff = () =>
      new Promise<void>((resolve) => {
        const sending = request(address(place, "a.txt"), {
          method: "POST",
          headers: { "content-type": "application/octet-stream", "content-length": "100000" },
        });
        sending.on("error", () => resolve());
        sending.write("x".repeat(5000), () => setTimeout(() => sending.destroy(), 30));
      });
    await Promise.all(Array.from({ length: 15 }, breakOff));
    await expect.poll(spooled, { timeout: 10_000 }).toEqual([]);
    expect(await FormFileModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
    expect((await upload(place, "whole", "a.txt")).status).toBe(201);
  });
});
