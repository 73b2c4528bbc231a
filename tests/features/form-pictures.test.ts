import { FormPictureModel } from "@app/server/features/forms/form-pictures.model";
import { FileUsageModel } from "@app/server/features/files/files.model";
import { DAY_MS } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { createLogger } from "@app/server/core/logger";
import { removeWhatIsOver } from "@app/server/core/removals";
import type { Field } from "@app/shared/form-fields";
import { describe, expect, test } from "vitest";
import { passTime } from "../support/clocks/sure-clock.ts";
import { aPhoto } from "../support/hostile/photo.ts";
import { aFormContent, aFormInput, aFormPage, aShortText } from "../support/server/forms.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));

const upload = (person: TestPerson, body: string | Buffer<ArrayBuffer>, name: string, id = newId()) =>
  fetch(`${app.url}/form-pictures?upload=${encodeURIComponent(JSON.stringify({ id, name }))}`, {
    method: "POST",
    headers: { cookie: person.cookies(), "content-type": "application/octet-stream", "sec-fetch-site": "same-origin" },
    body,
  });
const pictureOf = async (response: Response): Promise<string> => {
  const answer: unknown = await response.json();
  return typeof answer === "object" && answer !== null && "id" in answer ? String(answer.id) : "";
};
const look = (id: string) => fetch(`${app.url}/form-pictures/${id}`);

const { maxLength: _maxLength, ...base } = aShortText("house");
const showing = (pictureId: string, alt?: string): Field => ({
  ...base,
  type: "picture_choice",
  atMost: 1,
  options: ["a", "b"].map((value) => ({
    value,
    label: `House ${value}`,
    score: null,
    pictureId,
    ...(alt ? { alt } : {}),
  })),
});
const aForm = (pictureId: string, alt?: string) =>
  practice.api.forms.create.mutate({
    id: newId(),
    ...aFormInput({ content: aFormContent([aFormPage("first", [showing(pictureId, alt)])]) }),
  });
const publish = async (id: string) => practice.api.forms.publish.mutate({ id, version: 0, changeId: newId() });

async function removeLater(): Promise<void> {
  await passTime(40 * DAY_MS);
  await removeWhatIsOver(createLogger("silent"));
}

describe("pictures of a form", () => {
  test("POST /form-pictures: a photograph, when it is added, is shown to anybody who has its id, without its place", async () => {
    const once = newId();
    const id = await pictureOf(await upload(practice, aPhoto("51.5 N"), "house.jpg", once));
    const shown = await look(id);
    expect(shown.status).toBe(200);
    expect(shown.headers.get("content-type")).toBe("image/jpeg");
    expect(shown.headers.get("content-disposition")).toBe("inline; filename=picture");
    expect(shown.headers.get("content-security-policy")).toContain("sandbox");
    expect(shown.headers.get("x-content-type-options")).toBe("nosniff");
    expect(shown.headers.get("set-cookie")).toBeNull();
    expect(Buffer.from(await shown.arrayBuffer()).includes("51.5 N")).toBe(false);
    // The same sending once more, and the same sending of another practice.
    expect(await pictureOf(await upload(practice, aPhoto("51.5 N"), "house.jpg", once))).toBe(id);
    expect(await pictureOf(await upload(await aPractice(app), aPhoto("x"), "house.jpg", once))).not.toBe(id);
    expect((await look(once)).status).toBe(404);
    expect((await look(newId())).status).toBe(404);
  });

  test.each([
    ["S30: a page", "<script>alert(1)</script>", "x.html"],
    ["S30: a drawing that can run", "<svg onload='x'/>", "x.svg"],
    ["S57: a picture that is a page", "<html>", "x.png"],
    ["S57: a document", "%PDF-1.4", "x.pdf"],
    ["S57: nothing", "", "x.jpg"],
    ["S57: two endings", "<html>", "x.html.jpg"],
    ["S58: a path", aPhoto("x"), "../x.jpg"],
  ])("POST /form-pictures: %s is refused, and nothing of it stays", async (_what, body, name) => {
    expect((await upload(practice, body, name)).status).toBe(400);
    expect(await FormPictureModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
    expect((await FileUsageModel.findById(practice.ownerId).lean())?.bytes ?? 0).toBe(0);
  });

  test("POST /form-pictures: one picture that is sent four times at once, then it is one, and nobody is told otherwise", async () => {
    const once = newId();
    const sent = () => upload(practice, aPhoto("48.1 N"), "house.jpg", once);
    const ids = await Promise.all((await Promise.all([sent(), sent(), sent(), sent()])).map(pictureOf));
    expect(new Set(ids).size).toBe(1);
  });

  test("POST /form-pictures: one over 2 MB, or by whoever may not build forms, is refused", async () => {
    expect((await upload(practice, Buffer.alloc(2 * 1024 * 1024 + 1), "x.jpg")).status).toBe(400);
    const staff = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    expect((await upload(staff, aPhoto("x"), "x.jpg")).status).toBe(403);
  });

  test("forms.publish: without a picture, without words for it, or with another practice's, it is refused and says why", async () => {
    await expect(publish((await aForm("")).id)).rejects.toThrow("Add a picture to each answer");
    const id = await pictureOf(await upload(practice, aPhoto("x"), "x.jpg"));
    await expect(publish((await aForm(id)).id)).rejects.toThrow("Say what the picture of “House a” shows");
    const others = await pictureOf(await upload(await aPractice(app), aPhoto("y"), "y.jpg"));
    await expect(publish((await aForm(others, "A house")).id)).rejects.toThrow("is not there any more");
    expect(await publish((await aForm(id, "A house")).id)).toMatchObject({ publishedNumber: 1 });
  });

  test("a picture that a version shows, when the draft lost it long ago, is kept, and one that no form shows goes with its space", async () => {
    const kept = await pictureOf(await upload(practice, aPhoto("kept"), "kept.jpg"));
    const lost = await pictureOf(await upload(practice, aPhoto("lost, and longer"), "lost.jpg"));
    const { id } = await aForm(kept, "A house");
    await publish(id);
    const { name, content } = aFormInput();
    await practice.api.forms.save.mutate({ id, version: 0, name, content });
    await removeLater();
    expect((await look(kept)).status).toBe(200);
    expect((await look(lost)).status).toBe(404);
    const [one] = await FormPictureModel.find({ ownerId: practice.ownerId }).lean();
    expect((await FileUsageModel.findById(practice.ownerId).lean())?.bytes).toBe(one?.sizeBytes);
  });
});
