// What seals a document: the practice's own certificate, the time stamp of a server, and what is said where one fails.
import { existsSync } from "node:fs";
import { clock } from "@app/server/core/clock";
import { createLogger } from "@app/server/core/logger";
import { configure, settings } from "@app/server/core/settings";
import { SealCertificateModel } from "@app/server/features/signatures/seal-certificates.model";
import { addSealCertificate, followSealCertificates } from "@app/server/features/signatures/seal-certificates";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests, forEachTest, forgetAttempts, settingsOfEachTest } from "../support/server/lifetimes.ts";
import { aPractice, aVisitor, scopeOf } from "../support/server/people.ts";
import { PDFSIG, pdfsig, stampIn } from "../support/server/pdfsig.ts";
import { sealAuthority } from "../support/server/seal-authority.ts";
import { aReadyCase, hashOf, linksOf, sendOut, signAs, storePdf } from "../support/server/signing.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const authority = forAllTests(() => Promise.resolve(sealAuthority()));
settingsOfEachTest();
beforeEach(() => forgetAttempts());

const DAY = 86_400_000;
const add = (file: Buffer, password = "right words") =>
  practice.api.signatures.certificate.add.mutate({ file: file.toString("base64"), password });

async function sealed() {
  const { theCase, p1 } = await aReadyCase(practice);
  const file = await storePdf(practice, theCase);
  const made = await sendOut(practice, file.id, [p1.partyId]);
  const token = (await linksOf(practice))[p1.partyId] ?? "";
  await signAs(aVisitor(app), token);
  const { sealedFileId } = await practice.api.signatures.get.query({ id: made.id });
  const answer = await fetch(`${app.url}/files/${sealedFileId}`, { headers: { cookie: practice.cookies() } });
  const { events } = await practice.api.signatures.trail.query({ id: made.id });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return { bytes, trail: events.map(({ text }) => text).join("\n") };
}

const openTasks = async () => (await practice.api.tasks.list.query({})).items.map(({ title }) => title);

describe("the practice's own certificate", () => {
  test.each([
    ["of RSA, as openssl makes them", {}],
    ["of an older kind, as Windows exports it", { options: ["-legacy"] }],
    ["of an elliptic curve", { kind: "P-256" }],
  ])("signatures.certificate.add: %s, then seals are made by it, with its chain", async (_what, how) => {
    const added = await add(authority.pfx(how));
    expect(added).toMatchObject({ subject: "Quillfeather Mediation", issuer: "Trusted Seals Root", isOver: false });
    expect(await practice.api.signatures.certificate.get.query()).toEqual(added);
    const { bytes } = await sealed();
    expect(Buffer.from(bytes).toString("latin1")).toMatch(/ETSI\.CAdES\.detached/);
    expect(stampIn(bytes).certificates).toEqual(["Quillfeather Mediation", "Trusted Seals Root"]);
    if (existsSync(PDFSIG)) expect(pdfsig(bytes)).toMatch(/Signature is Valid/);
    const stored = JSON.stringify(await SealCertificateModel.findById(practice.ownerId).lean());
    expect(stored).not.toMatch(/PRIVATE|right words/);
  });

  test.each([
    ["with a wrong password", () => authority.pfx(), "wrong", "password", /does not open the file/],
    ["that is none", () => Buffer.from("%PDF-1.7 no certificate"), "x", "file", /no \.p12 or \.pfx/],
    ["without its key", () => authority.pfxWithoutKey(), "right words", "file", /no private key/],
    ["of a website", () => authority.pfx({ purposes: "serverAuth" }), "right words", "file", /may not be used to sign/],
    ["that only encrypts", () => authority.pfx({ usage: "keyEncipherment" }), "right words", "file", /may not be used/],
  ])("signatures.certificate.add: one %s, then it says what to do", async (_what, make, password, field, said) => {
    const { code, fields } = await refusal(add(make(), password));
    expect([code, fields[field]]).toEqual(["BAD_REQUEST", expect.stringMatching(said)]);
    expect(await practice.api.signatures.certificate.get.query()).toBeNull();
  });

  test("signatures.certificate: one that ends soon is told of once; over, or taken away, the made key seals again", async () => {
    await add(authority.pfx({ days: 60 }));
    await followSealCertificates(createLogger("silent"));
    expect(await openTasks()).toEqual([]);
    vi.spyOn(clock, "now").mockReturnValue(new Date(Date.now() + 31 * DAY));
    await followSealCertificates(createLogger("silent"));
    await followSealCertificates(createLogger("silent"));
    vi.restoreAllMocks();
    expect(await openTasks()).toEqual([expect.stringMatching(/^The certificate that seals your documents ends on/)]);
    await SealCertificateModel.updateOne({ _id: practice.ownerId }, { $set: { endsAt: new Date(Date.now() - 1) } });
    expect(await practice.api.signatures.certificate.get.query()).toMatchObject({ isOver: true });
    expect(stampIn((await sealed()).bytes).certificates).toEqual([practice.practiceName]);
    await practice.api.signatures.certificate.remove.mutate();
    expect(await practice.api.signatures.certificate.get.query()).toBeNull();
  });

  test("signatures.certificate.add: one that is over already, then it says when it ended", async () => {
    const file = authority.pfx({ options: [] }).toString("base64");
    const scope = scopeOf(practice.ownerId);
    vi.spyOn(clock, "now").mockReturnValue(new Date(Date.now() + 400 * DAY));
    const log = createLogger("silent");
    const asked = addSealCertificate({ scope, log }, { file, password: "right words" });
    await expect(asked).rejects.toThrow(/^This certificate ended on \d/);
    vi.restoreAllMocks();
  });
});

describe("a time stamp", () => {
  test("a sealed PDF, where a server of time stamps is set, carries one over its signature that openssl verifies", async () => {
    configure({ ...settings(), TIMESTAMP_URL: await authority.stamping() });
    const { bytes, trail } = await sealed();
    const { token, signature } = stampIn(bytes);
    expect(authority.verifyStamp(token ?? new Uint8Array(), signature)).toMatch(/Verification: OK/);
    expect(trail).toMatch(/Time stamp of the seal: 20/);
    if (existsSync(PDFSIG)) expect(pdfsig(bytes)).toMatch(/Signature is Valid/);
    expect(await openTasks()).toEqual([]);
  });

  test.each([
    ["fails", /the server answered 500/],
    ["says nothing", /did not answer in time/],
    ["lies", /what the server answered is no time stamp of it/],
  ] as const)("a sealed PDF, where the server %s, is sealed without one, and the owner is told", async (how, said) => {
    configure({ ...settings(), TIMESTAMP_URL: await authority.stamping(how) });
    const { bytes, trail } = await sealed();
    expect(stampIn(bytes).token).toBeNull();
    expect(trail).toMatch(/Sealed without a time stamp/);
    expect(trail).toMatch(said);
    expect(await openTasks()).toEqual([expect.stringMatching(/sealed without a time stamp/)]);
  });
});

describe("signatures.signing.verify", () => {
  const verify = (bytes: Uint8Array) => {
    const { cms } = stampIn(bytes);
    return aVisitor(app).api.signatures.signing.verify.query({ hash: hashOf(bytes), seals: [hashOf(cms)] });
  };

  test("of a sealed PDF that was changed, or added to, then it says changed, and of a foreign seal nothing", async () => {
    const { bytes } = await sealed();
    expect(await verify(bytes)).toMatchObject({ is: "sealed" });
    const flipped = bytes.slice();
    flipped[700] = (flipped[700] ?? 0) ^ 1;
    expect(await verify(flipped)).toMatchObject({ is: "changed", practiceName: practice.practiceName });
    expect(await verify(Buffer.concat([bytes, Buffer.from("\n% added")]))).toMatchObject({ is: "changed" });
    const unknown = { hash: "0".repeat(64), seals: ["1".repeat(64)] };
    expect(await aVisitor(app).api.signatures.signing.verify.query(unknown)).toEqual({
      is: "unknown",
      practiceName: "",
      sealedAt: null,
      signatures: 0,
    });
  });
});
