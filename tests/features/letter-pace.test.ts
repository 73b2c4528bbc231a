// How many letters one person may have sent in a short time.
import { newId } from "@app/server/core/ids";
import { afterEach, expect, test, vi } from "vitest";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aClient, aPractice, aStaffUser } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const LETTERS = 60;

const app = forAllTests(() => startTestApp());
const practice = forEachTest(() => aPractice(app));
afterEach(() => vi.restoreAllMocks());

test("compose.send: when somebody writes far more letters than anybody can, then they are told when the next may go, and a colleague is not kept", async () => {
  const { id: clientId, email } = await practice.api.clients.create.mutate(aClient());
  const colleague = await aStaffUser(app, practice);
  const send = ({ api } = practice) =>
    api.compose.send.mutate({ id: newId(), ...aLetterTo(email, { clientId }), sendAt: null });
  for (let count = 0; count < LETTERS; count += 1) await send();
  const { code, message } = await refusal(send());
  expect(code).toBe("TOO_MANY_REQUESTS");
  expect(message).toMatch(/^You have written very many letters in a short time\. Try again in \d+ seconds\. /);
  await expect(send({ ...practice, api: colleague.api })).resolves.toMatchObject({ id: expect.any(String) });
  moveTime(30_000);
  await expect(send()).resolves.toMatchObject({ id: expect.any(String) });
}, 60_000);
