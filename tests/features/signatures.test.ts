// Documents are signed by links of their own, and sealed when all have signed.
import { existsSync } from "node:fs";
import { clock } from "@app/server/core/clock";
import { createLogger } from "@app/server/core/logger";
import { followSignatures } from "@app/server/features/signatures/going-on";
import { SignatureModel } from "@app/server/features/signatures/signatures.model";
import { extendSigner, getSignature } from "@app/server/features/signatures/signatures.service";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { wordsOfPdf } from "../support/hostile/pdf-text.ts";
import { mailsOf } from "../support/server/booked.ts";
import { wordsTo } from "../support/mail/mailed-links.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { PDFSIG, pdfsig } from "../support/server/pdfsig.ts";
import { aPractice, aVisitor, scopeOf } from "../support/server/people.ts";
import { aPdf, aReadyCase, hashOf, linksOf, sendOut, signAs, storePdf } from "../support/server/signing.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const visitor = () => aVisitor(app);
beforeEach(() => forgetAttempts());

const DAY = 86_400_000;
const later = (days: number) => vi.spyOn(clock, "now").mockReturnValue(new Date(Date.now() + days * DAY));
const read = (token: string) => fetch(`${app.url}/signing-documents?token=${token}`);
const bytesOf = async (fileId: string) => {
  const answer = await fetch(`${app.url}/files/${fileId}`, { headers: { cookie: practice.cookies() } });
  return new Uint8Array(await answer.arrayBuffer());
};

async function sentOut(more: Parameters<typeof sendOut>[3] = {}) {
  const { theCase, p1, p2 } = await aReadyCase(practice);
  const bytes = aPdf(`We agree ${theCase.caseRef}`);
  const file = await storePdf(practice, theCase, { bytes });
  const made = await sendOut(practice, file.id, [p1.partyId, p2.partyId], more);
  const links = await linksOf(practice);
  return { theCase, p1, p2, bytes, file, made, first: links[p1.partyId] ?? "", second: links[p2.partyId] ?? "" };
}

test("signatures: of two who sign the agreement, each is a step of the case, and the sealed PDF holds both and verifies", async () => {
  const { theCase, p1, bytes, made, first, second } = await sentOut({ isAgreement: true, confidences: "kept" });
  expect(made).toMatchObject({ status: "sent", signers: [{ state: "asked" }, { state: "asked" }] });
  expect(new Uint8Array(await (await read(first)).arrayBuffer())).toEqual(new Uint8Array(bytes));

  expect(await signAs(visitor(), first, "Anna Łódź")).toMatchObject({ state: "signed" });
  expect(await practice.api.signatures.get.query({ id: made.id })).toMatchObject({ status: "partly_signed" });
  const stepped = await practice.api.cases.get.query({ id: theCase.id });
  expect(stepped.parties.find(({ partyId }) => partyId === p1.partyId)).toMatchObject({ status: "agreement_signed" });
  expect(stepped.confidences).toBe("kept");

  expect(await signAs(visitor(), second, "Ben Cole")).toMatchObject({ state: "complete" });
  const done = await practice.api.signatures.get.query({ id: made.id });
  expect(done).toMatchObject({ status: "completed", sealedFileId: expect.any(String) });
  const sealed = await bytesOf(done.sealedFileId ?? "");
  const words = await wordsOfPdf(sealed.slice());
  for (const said of ["we agree", "the second page", "anna łódź", "ben cole", hashOf(bytes)])
    expect(words).toContain(said);
  expect(new Uint8Array(await (await read(second)).arrayBuffer())).toEqual(sealed);

  const verify = (hash: string) => visitor().api.signatures.signing.verify.query({ hash });
  expect(await verify(hashOf(sealed))).toMatchObject({
    is: "sealed",
    signatures: 2,
    practiceName: practice.practiceName,
  });
  expect(await verify(hashOf(bytes))).toEqual({ is: "unsigned", practiceName: "", sealedAt: null, signatures: 0 });
  const flipped = sealed.slice();
  flipped[700] = (flipped[700] ?? 0) ^ 1;
  expect(await verify(hashOf(flipped))).toMatchObject({ is: "unknown", practiceName: "" });
  const trail = await practice.api.signatures.trail.query({ id: made.id });
  expect(trail).toMatchObject({ isWhole: true, sealedHash: hashOf(sealed) });
});

test("signatures: where somebody saves the case at the moment of a signature, then that is a step of the case all the same", async () => {
  const { theCase, p1, made, first } = await sentOut({ isAgreement: true, confidences: "kept" });
  const save = async () => {
    const { version } = await practice.api.cases.get.query({ id: theCase.id });
    const said = { isAgreed: true, isNamed: true, on: "2026-01-05" };
    await practice.api.casework.recordContactAgreement
      .mutate({ id: theCase.id, version, partyId: p1.partyId, ...said })
      .catch(() => undefined);
  };
  const saving = (async () => {
    for (let times = 0; times < 15; times += 1) await save();
  })();
  await signAs(visitor(), first);
  await saving;
  const { signers } = await practice.api.signatures.get.query({ id: made.id });
  expect(signers[0]).toMatchObject({ state: "signed", stepRefused: "" });
  const { parties } = await practice.api.cases.get.query({ id: theCase.id });
  expect(parties[0]).toMatchObject({ status: "agreement_signed" });
});

test("signatures.void: an agreement that somebody had signed, when it is withdrawn, asks about the step of whoever signed", async () => {
  const { theCase, made, first } = await sentOut({ isAgreement: true, confidences: "kept" });
  await signAs(visitor(), first);
  await practice.api.signatures.void.mutate({ id: made.id, reason: "It names the wrong fee" });
  const { items } = await practice.api.tasks.list.query({ caseId: theCase.id, isOpen: true });
  const { signers } = await practice.api.signatures.get.query({ id: made.id });
  expect(items.map(({ title }) => title)).toContainEqual(
    expect.stringContaining(`${signers[0]?.name} had signed the agreement that was withdrawn`),
  );
});

test("signatures: two agreements that differ about confidences, when each is signed by one, are not both a step of the case", async () => {
  const { theCase, p1, p2 } = await aReadyCase(practice);
  const sent = async (partyId: string, confidences: "kept" | "none") => {
    const file = await storePdf(practice, theCase);
    return sendOut(practice, file.id, [partyId], { isAgreement: true, confidences });
  };
  await sent(p1.partyId, "none");
  const other = await sent(p2.partyId, "kept");
  const links = await linksOf(practice);
  await signAs(visitor(), links[p1.partyId] ?? "");
  await signAs(visitor(), links[p2.partyId] ?? "");
  const { signers } = await practice.api.signatures.get.query({ id: other.id });
  expect(signers[0]?.stepRefused).toContain("says something else of confidences");
  const { parties } = await practice.api.cases.get.query({ id: theCase.id });
  expect(parties.map(({ status }) => status)).toEqual(["agreement_signed", "suitable"]);
});

test.skipIf(!existsSync(PDFSIG))(
  "a sealed PDF (skipped where poppler's pdfsig is not installed), is valid to a reader outside, and broken by one byte",
  async () => {
    const { made, first, second } = await sentOut();
    await signAs(visitor(), first);
    await signAs(visitor(), second);
    const sealed = await bytesOf((await practice.api.signatures.get.query({ id: made.id })).sealedFileId ?? "");
    expect(pdfsig(sealed)).toContain("Signature is Valid");
    expect(pdfsig(sealed)).toContain("ETSI.CAdES.detached");
    expect(pdfsig(sealed)).toContain("Total document signed");
    sealed[700] = (sealed[700] ?? 0) ^ 1;
    expect(pdfsig(sealed)).toContain("Digest Mismatch");
  },
);

test("signatures.signing: of one signer, nothing of the other is shown, nor that they signed", async () => {
  const { p1, first, second } = await sentOut();
  const before = await visitor().api.signatures.signing.open.mutate({ token: second });
  await signAs(visitor(), first, "Anna Signs");
  const after = await visitor().api.signatures.signing.open.mutate({ token: second });
  expect(after).toEqual(before);
  expect(JSON.stringify(after)).not.toContain("Anna");
  const done = await signAs(visitor(), second, "Ben Cole");
  expect(done.state).toBe("complete");
  const theirs = (await mailsOf(practice.ownerId)).filter(({ partyId }) => partyId !== p1.partyId);
  expect(JSON.stringify(theirs)).not.toContain(first);
});

test("signatures.signing.sign: the same once more, or by two screens at once, signs once", async () => {
  const { made, first } = await sentOut();
  await Promise.all(
    [signAs(visitor(), first), signAs(visitor(), first), signAs(visitor(), first)].map((one) => one.catch(() => null)),
  );
  const { trail } = await SignatureModel.findOne({ _id: made.id, ownerId: practice.ownerId }).orFail().lean();
  expect(trail.filter(({ text }) => text.includes("agreed and signed"))).toHaveLength(1);
});

test("signatures.signing.sign: both at the same moment, then all is sealed once", async () => {
  const { made, first, second } = await sentOut();
  await Promise.all([signAs(visitor(), first), signAs(visitor(), second)]);
  await followSignatures(createLogger("silent"));
  const done = await practice.api.signatures.get.query({ id: made.id });
  expect(done.status).toBe("completed");
  const { events, isWhole } = await practice.api.signatures.trail.query({ id: made.id });
  expect(isWhole).toBe(true);
  expect(events.filter(({ text }) => text.startsWith("Sealed"))).toHaveLength(1);
});

test("S76: signatures.create, sent again with the same id, sends one document out and each signer one letter", async () => {
  const { theCase, p1 } = await aReadyCase(practice);
  const file = await storePdf(practice, theCase);
  const send = (days: 7 | 14) => sendOut(practice, file.id, [p1.partyId], { days }, "the-same-id");
  const [first, second] = [await send(14), await send(14)];
  expect(second).toEqual(first);
  expect((await refusal(send(7))).code).toBe("CONFLICT");
  expect((await mailsOf(practice.ownerId)).filter(({ text }) => text.includes("/sign/"))).toHaveLength(1);
});

test("a sealed PDF: where a process died before it was noted, is found again and is the same", async () => {
  const { made, first, second } = await sentOut();
  await signAs(visitor(), first);
  await signAs(visitor(), second);
  const { sealedFileId, sealedHash } = await SignatureModel.findOne({ _id: made.id, ownerId: practice.ownerId })
    .orFail()
    .lean();
  const unnoted = { sealedFileId: null, sealedHash: "", sealedAt: null };
  await SignatureModel.updateOne({ _id: made.id, ownerId: practice.ownerId }, { $set: unnoted, $pop: { trail: 1 } });
  later(0.01);
  await followSignatures(createLogger("silent"));
  const again = await SignatureModel.findOne({ _id: made.id, ownerId: practice.ownerId }).orFail().lean();
  expect([again.sealedFileId, again.sealedHash]).toEqual([sealedFileId, sealedHash]);
});

test("a sealed PDF: each party is told once that all have signed, and opens it for ninety days from then", async () => {
  const { made, first, second } = await sentOut();
  await signAs(visitor(), first);
  const told = async () =>
    (await mailsOf(practice.ownerId)).filter(({ text }) => text.includes("Everyone has now signed"));
  expect(await told()).toEqual([]);
  later(10);
  await signAs(visitor(), second);
  await followSignatures(createLogger("silent"));
  const letters = await told();
  expect(letters).toHaveLength(2);
  expect(new Set(letters.map(({ partyId }) => partyId))).toEqual(new Set(made.signers.map(({ id }) => id)));
  for (const [own, other] of [
    [first, second],
    [second, first],
  ] as const)
    expect(letters.filter(({ text }) => text.includes(own) && !text.includes(other))).toHaveLength(1);
  later(99);
  expect((await visitor().api.signatures.signing.open.mutate({ token: first })).state).toBe("complete");
  expect((await read(first)).status).toBe(200);
  later(101);
  expect((await read(first)).status).toBe(404);
});

describe("what is refused", () => {
  test("signatures.create: for somebody who may not read the file, then it names them", async () => {
    const { theCase, p1, p2 } = await aReadyCase(practice);
    const visibility = { scope: "party" as const, partyIds: [p1.partyId], aboutPartyIds: [] };
    const file = await storePdf(practice, theCase, { visibility });
    const asked = await refusal(sendOut(practice, file.id, [p1.partyId, p2.partyId]));
    expect(asked.fields["signers"]).toMatch(/may not read this file/);
    expect(await SignatureModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
  });

  test.each([
    ["a damaged one", "%PDF-1.7\nnothing of use\n%%EOF", "Agreement.pdf"],
    ["no PDF", "hello", "Agreement.txt"],
  ])("signatures.create: of %s, then it says what to do", async (_what, words, name) => {
    const { theCase, p1 } = await aReadyCase(practice);
    const file = await storePdf(practice, theCase, { bytes: Buffer.from(words), name });
    expect((await refusal(sendOut(practice, file.id, [p1.partyId]))).fields["fileId"]).toMatch(/PDF/);
  });

  test("signatures.signing.sign: of another document than was shown, unread or not agreed to, nothing is signed", async () => {
    const { made, first } = await sentOut();
    const { documentHash } = await visitor().api.signatures.signing.open.mutate({ token: first });
    const whole = {
      token: first,
      documentHash,
      mark: { name: "A", strokes: new Array<number[]>() },
      hasSeenAll: true as const,
      agrees: true as const,
    };
    const tries = [
      { ...whole, documentHash: "0".repeat(64) },
      { ...whole, mark: { name: " ", strokes: [[1, 1, 3, 3]] } },
      { ...whole, hasSeenAll: false },
      { ...whole, agrees: false },
    ];
    for (const input of tries) await refusal(visitor().api.signatures.signing.sign.mutate(input as typeof whole));
    expect((await practice.api.signatures.get.query({ id: made.id })).status).toBe("sent");
  });

  test("signatures.signing: by a link that was withdrawn, is over, or is made up, opens or signs nothing", async () => {
    const { made, first, file } = await sentOut();
    expect(await refusal(visitor().api.signatures.signing.open.mutate({ token: "x".repeat(43) }))).toMatchObject({
      code: "NOT_FOUND",
    });
    await practice.api.signatures.void.mutate({ id: made.id, reason: "The wrong paper" });
    expect((await visitor().api.signatures.signing.open.mutate({ token: first })).state).toBe("void");
    expect((await refusal(signAs(visitor(), first))).code).toBe("PRECONDITION_FAILED");
    await practice.api.files.remove.mutate({ ids: [file.id] });
    expect((await read(first)).status).toBe(404);
    expect(await refusal(visitor().api.signatures.signing.open.mutate({ token: first }))).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("time", () => {
  test("signatures: in order, the second is asked when the first has signed, and before sees no more than that", async () => {
    const { p2, first } = await sentOut({ isInOrder: true });
    expect((await linksOf(practice))[p2.partyId]).toBeUndefined();
    await signAs(visitor(), first);
    expect((await linksOf(practice))[p2.partyId]).toEqual(expect.any(String));
  });

  test("signatures: when the time is over, nobody signs, the sender is told, and more time opens it again", async () => {
    const { p1, made, first, second } = await sentOut();
    await signAs(visitor(), second);
    later(15);
    await followSignatures(createLogger("silent"));
    expect((await visitor().api.signatures.signing.open.mutate({ token: first })).state).toBe("expired");
    expect((await refusal(signAs(visitor(), first))).message).toMatch(/time to sign this is over/);
    const scope = scopeOf(practice.ownerId);
    expect((await getSignature(scope, made.id)).status).toBe("expired");
    const more = { id: made.id, signerId: p1.partyId, days: 7 as const };
    expect(await extendSigner(scope, more)).toMatchObject({ status: "partly_signed" });
    expect(await signAs(visitor(), first)).toMatchObject({ state: "complete" });
  });

  test("signatures: a reminder leaves once, two days before the end, and none to who signed", async () => {
    const { p1, first } = await sentOut();
    await signAs(visitor(), first);
    const letters = async () => (await mailsOf(practice.ownerId)).filter(({ text }) => text.includes("/sign/"));
    expect(await letters()).toHaveLength(2);
    later(12.5);
    await followSignatures(createLogger("silent"));
    await followSignatures(createLogger("silent"));
    const left = await letters();
    expect(left).toHaveLength(3);
    expect(left.at(-1)?.partyId).not.toBe(p1.partyId);
  });

  test("signatures.signing.decline: then nobody signs any more, and the other is not told why", async () => {
    const { made, first, second } = await sentOut();
    await visitor().api.signatures.signing.decline.mutate({ token: first, reason: "Not these words" });
    const seen = await practice.api.signatures.get.query({ id: made.id });
    expect(seen).toMatchObject({
      status: "declined",
      signers: [{ declineReason: "Not these words" }, { state: "asked" }],
    });
    const page = await visitor().api.signatures.signing.open.mutate({ token: second });
    expect([page.state, JSON.stringify(page).includes("words")]).toEqual(["void", true]);
    expect(JSON.stringify(page)).not.toContain("Not these");
    const told = (await wordsTo(practice.email)).join("\n");
    expect(told).toMatch(/Somebody refused to sign a document[^]*\/clients\/view\/\w/);
    expect(told).not.toContain("Not these");
    later(12.5);
    const before = (await mailsOf(practice.ownerId)).length;
    await followSignatures(createLogger("silent"));
    expect(await mailsOf(practice.ownerId)).toHaveLength(before);
  });
});
