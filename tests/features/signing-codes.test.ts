// A code that is read to a signer by phone: without it nobody sees what there is to sign, whoever has the link.
import { SignatureModel } from "@app/server/features/signatures/signatures.model";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { wordsOfPdf } from "../support/hostile/pdf-text.ts";
import { mailsOf } from "../support/server/booked.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aPractice, aVisitor } from "../support/server/people.ts";
import { aReadyCase, hashOf, linksOf, sendOut, storePdf } from "../support/server/signing.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const signing = () => aVisitor(app).api.signatures.signing;
beforeEach(() => forgetAttempts());

async function sentOut() {
  const { theCase, p1, p2 } = await aReadyCase(practice);
  const file = await storePdf(practice, theCase);
  const made = await sendOut(practice, file.id, [p1.partyId, p2.partyId], { isCodeAsked: true });
  const token = (await linksOf(practice))[p1.partyId] ?? "";
  const newCode = async () =>
    (await practice.api.signatures.newCode.mutate({ id: made.id, signerId: p1.partyId })).code;
  return { made, token, newCode, signerId: p1.partyId };
}

const notThis = (code: string): string => (code === "000000" ? "000001" : "000000");
const read = (token: string, proof = "") =>
  fetch(`${app.url}/signing-documents?token=${token}&proof=${encodeURIComponent(proof)}`);

test("signatures.signing: with the link alone neither the document nor its name is shown, nor is it signed or refused", async () => {
  const { token, newCode } = await sentOut();
  const texts = (await mailsOf(practice.ownerId)).map(({ text }) => text).filter((text) => text.includes("/sign/"));
  expect(texts.every((text) => text.includes("asked for a code"))).toBe(true);
  await newCode();
  const page = await signing().open.mutate({ token });
  expect(page).toMatchObject({ state: "code", practiceName: "", name: "", title: "", documentHash: "", words: "" });
  expect((await read(token)).status).not.toBe(200);
  const mark = { name: "A", strokes: new Array<number[]>() };
  const signed = { token, documentHash: hashOf(Buffer.from("")), mark, hasSeenAll: true, agrees: true } as const;
  expect((await refusal(signing().sign.mutate(signed))).message).toMatch(/Type the code first/);
  expect((await refusal(signing().decline.mutate({ token, reason: "" }))).message).toMatch(/Type the code first/);
  expect((await refusal(signing().decline.mutate({ token, proof: "v2.made.up", reason: "" }))).code).toBe(
    "PRECONDITION_FAILED",
  );
});

test("signatures.signing.prove: with the code they read and sign, and the record says who gave it; the code itself is stored nowhere", async () => {
  const { made, token, newCode } = await sentOut();
  expect((await refusal(signing().prove.mutate({ token, code: "123456" }))).message).toMatch(/no code for you yet/);
  const code = await newCode();
  const { proof } = await signing().prove.mutate({ token, code: ` ${code.slice(0, 3)} ${code.slice(3)}` });
  const { state, documentHash } = await signing().open.mutate({ token, proof });
  expect(state).toBe("open");
  expect((await read(token, proof)).status).toBe(200);
  const mark = { name: "Anna", strokes: new Array<number[]>() };
  await signing().sign.mutate({ token, proof, documentHash, mark, hasSeenAll: true, agrees: true });
  const { events } = await practice.api.signatures.trail.query({ id: made.id });
  expect(events.map(({ text }) => text).join("\n")).toMatch(/was identified by a code given by phone by/);
  const stored = await SignatureModel.findOne({ _id: made.id, ownerId: practice.ownerId }).lean();
  expect(JSON.stringify(stored)).not.toContain(code);
});

test("signatures.newCode: a new one ends the one before and what was proved by it, and is tried afresh", async () => {
  const { token, newCode } = await sentOut();
  const before = await newCode();
  const { proof } = await signing().prove.mutate({ token, code: before });
  for (let count = 0; count < 5; count += 1)
    expect((await refusal(signing().prove.mutate({ token, code: notThis(before) }))).code).toBe("PRECONDITION_FAILED");
  const tooMany = await refusal(signing().prove.mutate({ token, code: before }));
  expect([tooMany.code, tooMany.message]).toEqual([
    "TOO_MANY_REQUESTS",
    expect.stringMatching(/phone us for a new one/),
  ]);
  const code = await newCode();
  expect((await signing().open.mutate({ token, proof })).state).toBe("code");
  expect((await signing().prove.mutate({ token, code })).proof).not.toBe("");
});

test("signatures.newCode: where no code is asked for, or it is withdrawn, then none is made", async () => {
  const { made, token, signerId } = await sentOut();
  await practice.api.signatures.void.mutate({ id: made.id, reason: "The wrong paper" });
  expect((await refusal(practice.api.signatures.newCode.mutate({ id: made.id, signerId }))).message).toMatch(/anew/);
  expect(await signing().open.mutate({ token })).toMatchObject({ state: "void", title: "" });
});

test("signatures.signing.prove: where whoever made the code had the link too, then the page of signatures says so", async () => {
  const { theCase, p1 } = await aReadyCase(practice);
  const file = await storePdf(practice, theCase);
  const signed = async (isLinkShown: boolean) => {
    const made = await sendOut(practice, file.id, [p1.partyId], { isCodeAsked: true });
    const of = { id: made.id, signerId: p1.partyId };
    const { address } = await practice.api.signatures.showLink.mutate(of);
    if (!isLinkShown)
      await SignatureModel.updateOne(
        { _id: made.id, ownerId: practice.ownerId },
        { $set: { "signers.0.shownTo": [] } },
      );
    const token = address.split("/").at(-1) ?? "";
    const { code } = await practice.api.signatures.newCode.mutate(of);
    const { proof } = await signing().prove.mutate({ token, code });
    const { documentHash } = await signing().open.mutate({ token, proof });
    const mark = { name: "Priya Nair", strokes: new Array<number[]>() };
    await signing().sign.mutate({ token, proof, documentHash, mark, hasSeenAll: true, agrees: true });
    const { sealedFileId } = await practice.api.signatures.get.query({ id: made.id });
    const answer = await fetch(`${app.url}/files/${sealedFileId}`, { headers: { cookie: practice.cookies() } });
    return wordsOfPdf(new Uint8Array(await answer.arrayBuffer()));
  };
  expect(await signed(true)).toContain("had been shown the link too");
  expect(await signed(false)).not.toContain("had been shown the link too");
});
