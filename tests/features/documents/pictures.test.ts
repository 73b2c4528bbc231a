// Pictures in what is written: whose they are, who sees them, and how long they stay.
import { newId } from "@app/server/core/ids";
import { DAY_MS } from "@app/server/core/clock";
import { createLogger } from "@app/server/core/logger";
import { removeWhatIsOver } from "@app/server/core/removals";
import { DocumentPictureModel } from "@app/server/features/documents/document-pictures.model";
import { FileUsageModel } from "@app/server/features/files/files.model";
import { describe, expect, test } from "vitest";
import { refusal } from "../../support/access/refusal.ts";
import { passTime } from "../../support/clocks/sure-clock.ts";
import { aDocument, aTemplateOf } from "../../support/documents/case-documents.ts";
import { doc, image, para } from "../../support/documents/content.ts";
import { aPng, aPngBomb } from "../../support/documents/picture.ts";
import { idIn, sendLogo, sendPicture } from "../../support/documents/uploads.ts";
import { aPhoto } from "../../support/hostile/photo.ts";
import { forAllTests, forEachTest } from "../../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, type TestPerson } from "../../support/server/people.ts";
import { startTestApp } from "../../support/server/test-app.ts";

const app = forAllTests(() => startTestApp());
const practice = forEachTest(() => aPractice(app));

const look = (person: TestPerson, address: string) =>
  fetch(`${app.url}${address}`, { headers: { cookie: person.cookies() } });
const picture = (person: TestPerson, textId: string, id: string) => look(person, `/document-pictures/${textId}/${id}`);

const OF_PRACTICE = { kind: "practice" as const, partyId: null };
/** A draft that only the practice reads, of a template without a picture. */
async function aDraft() {
  const { theCase } = await aCase(practice);
  const templateId = await aTemplateOf(practice, doc(para("Words")));
  return { draft: await aDocument(practice, { caseId: theCase.id, templateId, addressee: OF_PRACTICE }) };
}
const save = (id: string, version: number, ...content: Parameters<typeof doc>) =>
  practice.api.documents.save.mutate({ id, version, name: "A document", content: doc(...content) });

const textsWith = async (pictureId: string) =>
  (await DocumentPictureModel.find({ ownerId: practice.ownerId, pictureId }).lean())
    .map(({ textId }) => textId)
    .toSorted();

async function removeLater(): Promise<void> {
  await passTime(40 * DAY_MS);
  await removeWhatIsOver(createLogger("silent"));
}

describe("pictures of documents", () => {
  test("POST /document-pictures: a photograph, then whoever reads its text sees it, without where it was taken", async () => {
    const { draft } = await aDraft();
    const once = newId();
    const sent = await sendPicture(app, practice, {
      textId: draft.id,
      body: aPhoto("51.5 N"),
      name: "a.jpg",
      id: once,
    });
    expect(sent.status).toBe(201);
    const id = await idIn(sent);
    await save(draft.id, 0, para("Before"), image(id, { alt: "A house" }));
    const shown = await picture(practice, draft.id, id);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(shown.headers.get("content-security-policy")).toContain("sandbox");
    expect(Buffer.from(await shown.arrayBuffer()).includes("51.5 N")).toBe(false);
    // The same sending once more.
    expect(
      await idIn(
        await sendPicture(app, practice, { textId: draft.id, body: aPhoto("51.5 N"), name: "a.jpg", id: once }),
      ),
    ).toBe(id);
    const reader = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    expect((await picture(reader, draft.id, id)).status).toBe(200);
    expect((await picture(await aPractice(app), draft.id, id)).status).toBe(404);
  });

  test("POST /document-pictures: one picture that is sent four times at once, then it is one, and nobody is told otherwise", async () => {
    const { draft } = await aDraft();
    const once = newId();
    const sent = () => sendPicture(app, practice, { textId: draft.id, body: aPng(6), name: "a.png", id: once });
    const answers = await Promise.all([sent(), sent(), sent(), sent()]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(await Promise.all(answers.map(idIn))).size).toBe(1);
  });

  test("POST /document-pictures: words within a PNG, then they are taken out and it can be seen", async () => {
    const { draft } = await aDraft();
    const png = aPng(8, { Comment: "taken at 51.5 N" });
    expect(Buffer.from(png).includes("51.5 N")).toBe(true);
    const id = await idIn(await sendPicture(app, practice, { textId: draft.id, body: png }));
    const kept = Buffer.from(await (await picture(practice, draft.id, id)).arrayBuffer());
    expect(kept.equals(Buffer.from(aPng(8)))).toBe(true);
  });

  test("GET /document-pictures: of a case that somebody does not see, then it is not there for them, nor its text", async () => {
    const { draft } = await aDraft();
    const id = await idIn(await sendPicture(app, practice, { textId: draft.id, body: aPng() }));
    const assigned = await aStaffUser(app, practice, {
      permissions: ["clients.read", "documents.manage", "assigned_only"],
    });
    expect((await picture(assigned, draft.id, id)).status).toBe(404);
    expect((await sendPicture(app, assigned, { textId: draft.id, body: aPng(4) })).status).toBe(404);
  });

  test("documents.save: a picture of another case or practice, then it is refused whoever names it", async () => {
    const [one, other] = [await aDraft(), await aDraft()];
    const id = await idIn(await sendPicture(app, practice, { textId: one.draft.id, body: aPng() }));
    const { code, fields } = await refusal(save(other.draft.id, 0, image(id, { alt: "Theirs" })));
    expect([code, fields["content"]]).toEqual(["BAD_REQUEST", expect.stringContaining("belongs to another text")]);
    expect((await picture(practice, other.draft.id, id)).status).toBe(404);
    const stranger = await aPractice(app);
    const templateId = await aTemplateOf(stranger, doc(para("x")));
    const theirs = stranger.api.documentTemplates.save.mutate({
      id: templateId,
      version: 1,
      name: "x",
      content: doc(image(id)),
    });
    expect((await refusal(theirs)).code).toBe("BAD_REQUEST");
  });

  test("documents.create: of a template with a picture, then the document has it for itself, and so has a copy of either", async () => {
    const templateId = await aTemplateOf(practice, doc(para("x")));
    const id = await idIn(await sendPicture(app, practice, { textId: templateId, body: aPng(16) }));
    const content = doc(image(id, { alt: "The office" }));
    await practice.api.documentTemplates.save.mutate({ id: templateId, version: 1, name: "x", content });
    const copied = await practice.api.documentTemplates.copy.mutate({ id: newId(), templateId });
    expect((await picture(practice, copied.id, id)).status).toBe(200);
    const { theCase } = await aCase(practice);
    const made = await aDocument(practice, { caseId: theCase.id, templateId, addressee: OF_PRACTICE });
    const again = await practice.api.documents.copy.mutate({ id: newId(), documentId: made.id });
    for (const textId of [made.id, again.id]) {
      expect((await picture(practice, textId, id)).status).toBe(200);
      expect((await practice.api.documents.open.query({ id: textId })).of).toBe("document");
    }
    // The template loses it; what was made of it keeps it.
    await practice.api.documentTemplates.save.mutate({
      id: templateId,
      version: 2,
      name: "x",
      content: doc(para("y")),
    });
    const { fileId } = await practice.api.documents.finish.mutate({ id: again.id, version: 0 });
    const pdf = Buffer.from(await (await look(practice, `/files/${fileId}`)).arrayBuffer()).toString("latin1");
    expect(pdf).toContain("/Subtype /Image");
    await removeLater();
    expect(await textsWith(id)).toEqual([copied.id, made.id, again.id].toSorted());
  });

  test("documents.finish: a picture of which nothing is said, then it is refused until it is, or is decoration", async () => {
    const { draft } = await aDraft();
    const id = await idIn(await sendPicture(app, practice, { textId: draft.id, body: aPng() }));
    await save(draft.id, 0, image(id));
    await expect(practice.api.documents.finish.mutate({ id: draft.id, version: 1 })).rejects.toThrow(
      "Say what the picture shows",
    );
    await save(draft.id, 1, image(id, { isDecorative: true }));
    expect(await practice.api.documents.finish.mutate({ id: draft.id, version: 2 })).toMatchObject({
      status: "finished",
    });
    expect((await sendPicture(app, practice, { textId: draft.id, body: aPng(9) })).status).toBe(412);
  });

  test("S57 documents.finish: a picture that unpacks to 600 MB, then it stands as its words or is refused, and nobody waits", async () => {
    const { draft } = await aDraft();
    const body = aPngBomb(600 * 1024 * 1024);
    const id = await idIn(await sendPicture(app, practice, { textId: draft.id, body }));
    await save(draft.id, 0, para("Words"), image(id, { alt: "A bomb" }));
    const finishing = practice.api.documents.finish.mutate({ id: draft.id, version: 1 }).then(
      ({ status }) => status,
      (error: unknown) => String(error),
    );
    expect((await practice.api.clients.list.query({})).total).toBeGreaterThan(0);
    expect(await finishing).toMatch(/^finished$|more pages than can be printed/);
  });

  test("a picture that a version shows, when the draft lost it long ago, is kept, and one that nothing shows goes with its space", async () => {
    const { draft } = await aDraft();
    const [kept, lost] = [
      await idIn(await sendPicture(app, practice, { textId: draft.id, body: aPng(20) })),
      await idIn(await sendPicture(app, practice, { textId: draft.id, body: aPng(30) })),
    ];
    await save(draft.id, 0, image(kept, { alt: "x" }));
    const content = doc(para("gone"));
    await practice.api.documents.save.mutate({ id: draft.id, version: 1, name: "A", content, isRestored: true });
    await removeLater();
    expect([await textsWith(kept), await textsWith(lost)]).toEqual([[draft.id], []]);
    const [one] = await DocumentPictureModel.find({ ownerId: practice.ownerId }).lean();
    expect((await FileUsageModel.findById(practice.ownerId).lean())?.bytes).toBe(one?.sizeBytes);
  });

  test.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ["S30: a page", "<script>alert(1)</script>", "x.html"],
    ["S30: a drawing that can run", "<svg onload='x'/>", "x.svg"],
    ["S57: a picture that is a page", "<html>", "x.png"],
    ["S57: a picture that browsers show and Word does not", "RIFF", "x.webp"],
    ["S57: nothing", "", "x.jpg"],
    ["S57: 50,000 points on each side", aPngOfSize(50_000), "x.png"],
    ["S57: more points than are soon drawn", aPngOfSize(3_500), "x.png"],
    ["S57: more than 3 MB", Buffer.alloc(3 * 1024 * 1024 + 1), "x.png"],
    ["S58: a path", aPng(), "../x.png"],
  ])("POST /document-pictures: %s, then it is refused and nothing of it stays", async (_what, body, name) => {
    const { draft } = await aDraft();
    expect((await sendPicture(app, practice, { textId: draft.id, body, name })).status).toBe(400);
    expect(await DocumentPictureModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
    expect((await FileUsageModel.findById(practice.ownerId).lean())?.bytes ?? 0).toBe(0);
  });
});

describe("the logo of a practice", () => {
  test("POST /practice-logo: by the owner, then it stands at the head of what is finished; another takes its place and its space", async () => {
    expect((await sendLogo(app, practice, aPng(40))).status).toBe(201);
    const { logoId } = await practice.api.letterheads.get.query();
    const staff = await aStaffUser(app, practice, { permissions: ["clients.read"] });
    expect((await look(staff, `/practice-logo/${logoId}`)).headers.get("content-type")).toBe("image/png");
    expect((await look(await aPractice(app), `/practice-logo/${logoId}`)).status).toBe(404);
    expect((await sendLogo(app, staff, aPng(9))).status).toBe(403);
    const { draft } = await aDraft();
    const { fileId } = await practice.api.documents.finish.mutate({ id: draft.id, version: 0 });
    const pdf = await (await look(practice, `/files/${fileId}`)).arrayBuffer();
    expect(Buffer.from(pdf).toString("latin1")).toContain("/Subtype /Image");
    const before = (await FileUsageModel.findById(practice.ownerId).lean())?.bytes ?? 0;
    expect((await sendLogo(app, practice, aPng(41))).status).toBe(201);
    expect((await look(practice, `/practice-logo/${logoId}`)).status).toBe(404);
    const after = (await FileUsageModel.findById(practice.ownerId).lean())?.bytes ?? 0;
    expect(after - before).toBe(aPng(41).length - aPng(40).length);
    expect(await practice.api.letterheads.removeLogo.mutate()).toEqual({ name: expect.any(String), logoId: null });
    expect((await FileUsageModel.findById(practice.ownerId).lean())?.bytes).toBe(after - aPng(41).length);
  });
});

/** A picture that says it is so large, and holds next to nothing. */
function aPngOfSize(side: number): Uint8Array<ArrayBuffer> {
  const png = Buffer.from(aPng());
  png.writeUInt32BE(side, 16);
  png.writeUInt32BE(side, 20);
  return Uint8Array.from(png);
}
