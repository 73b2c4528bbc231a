import { inTransaction } from "@app/server/core/database";
import { FORM_TOKEN_MAX_AGE_MS, issueFormToken, redeemFormToken } from "@app/server/core/form-token";
import { TRPCError } from "@trpc/server";
import mongoose from "mongoose";
import { beforeEach, expect, test } from "vitest";
import { moveTime } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { startTestApp } from "../support/server/test-app.ts";

const of = { purpose: "test", id: "form-1" };
const used = () => mongoose.connection.collection("form_tokens").countDocuments({});
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof TRPCError ? error.code : "none";
};

forAllTests(startTestApp);
beforeEach(async () => void (await mongoose.connection.collection("form_tokens").deleteMany({})));

test("redeemFormToken: a token of this form, when it is a few seconds old, is taken and noted", async () => {
  const token = issueFormToken(of);
  moveTime(4000);
  await redeemFormToken({ ...of, token });
  expect(await used()).toBe(1);
});

test("redeemFormToken: within three seconds, when the same is sent again later, it is refused and then taken", async () => {
  const token = issueFormToken(of);
  moveTime(1000);
  expect(await codeOf(redeemFormToken({ ...of, token }))).toBe("PRECONDITION_FAILED");
  expect(await used()).toBe(0);
  moveTime(4000);
  await redeemFormToken({ ...of, token });
});

test("redeemFormToken: after a day, when it is sent, it is refused", async () => {
  const token = issueFormToken(of);
  moveTime(FORM_TOKEN_MAX_AGE_MS + 1000);
  expect(await codeOf(redeemFormToken({ ...of, token }))).toBe("PRECONDITION_FAILED");
});

test("redeemFormToken: of twenty that bring the same one, when they come at once, one is taken", async () => {
  const token = issueFormToken(of);
  moveTime(4000);
  const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(redeemFormToken({ ...of, token }))));
  expect(codes.toSorted()).toEqual([...Array.from({ length: 19 }, () => "CONFLICT"), "none"]);
});

test("redeemFormToken: in a transaction, when that is rolled back, the token can be used again", async () => {
  const token = issueFormToken(of);
  moveTime(4000);
  const failing = inTransaction(async () => {
    await redeemFormToken({ ...of, token });
    throw new Error("the time is taken");
  });
  await expect(failing).rejects.toThrow("the time is taken");
  await redeemFormToken({ ...of, token });
  expect(await used()).toBe(1);
});

test.each([
  ["of another form", issue({ ...of, id: "form-2" })],
  ["for another purpose", issue({ ...of, purpose: "other" })],
  ["with an earlier time", () => issueFormToken(of).replace(/^[^.]+/, "1")],
  ["without a signature", () => issueFormToken(of).replace(/[^.]+$/, "")],
  ["empty", () => ""],
  ["of nothing", () => "__proto__.constructor.x"],
])("redeemFormToken: a token %s, when it is sent, is refused", async (_what, make) => {
  const token = make();
  moveTime(4000);
  expect(await codeOf(redeemFormToken({ ...of, token }))).toBe("PRECONDITION_FAILED");
  expect(await used()).toBe(0);
});

function issue(other: typeof of) {
  return () => issueFormToken(other);
}
