// S79: a link that was made while the clock was ahead is void once that is right, and not open until the clock comes there.
import { bringBackDueTimes } from "@app/server/core/due-times";
import { createLogger } from "@app/server/core/logger";
import { openLinksFor } from "@app/server/features/auth/open-links.service";
import { hashToken } from "@app/server/core/crypto";
import { keepLink } from "@app/server/features/auth/confirm-registration";
import { REGISTRATION_LINK_MS } from "@app/server/features/auth/registrations.model";
import { now } from "@app/server/core/clock";
import { newToken } from "@app/server/core/ids";
import { beforeEach, expect, test, vi } from "vitest";
import { resetTokensTo } from "../support/mail/mailed-links.ts";
import { aPractice, aVisitor, PASSWORD as OWNERS } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";

const DAY_MS = 86_400_000;
const AHEAD_MS = 400 * DAY_MS;
const PASSWORD = "velvet compass orchard tin";

const app = forAllTests(() => startTestApp());
beforeEach(forgetAttempts);
const practice = forEachTest(() => aPractice(app));
const setRight = () => bringBackDueTimes(createLogger("silent"));

/** Makes a link while the clock is ahead, and one at the right time; gives how each is taken, also long after that. */
const takings = {
  async "a new password"() {
    // Of a mailbox to which much is mailed the next waits for some minutes: so each is to one of its own.
    const { email: other } = await aPractice(app);
    const make = async (count: number) => {
      const email = count === 1 ? practice.email : other;
      await aVisitor(app).api.auth.requestPasswordReset.mutate({ email });
      return vi.waitFor(
        async () => {
          const [token] = await resetTokensTo(email);
          if (!token) throw new Error("there is no mail yet");
          return token;
        },
        { timeout: 20_000, interval: 100 },
      );
    };
    const open = (token: string) => refusal(aVisitor(app).api.auth.resetPassword.mutate({ token, password: PASSWORD }));
    return { make, open };
  },
  async "an invitation"() {
    const make = async (count: number) => {
      const email = `sam${count}.${practice.ownerId}@example.org`.toLowerCase();
      const person = { email, firstName: `Sam${count}`, lastName: "Ash", role: 3 as const };
      const owner = aVisitor(app);
      await owner.api.auth.signIn.mutate({ email: practice.email, password: OWNERS, isRemembered: false });
      const { link } = await owner.api.staff.invite.mutate({ id: newToken(), ...person });
      return new URL(link ?? "").searchParams.get("token") ?? "";
    };
    const open = (token: string) => refusal(aVisitor(app).api.auth.invitation.query({ token }));
    return { make, open };
  },
  async "a new practice"() {
    const make = async () => {
      const token = newToken();
      await keepLink(hashToken(token), "new@example.org", new Date(now().getTime() + REGISTRATION_LINK_MS));
      return token;
    };
    return { make, open: (token: string) => refusal(aVisitor(app).api.auth.registration.query({ token })) };
  },
};

test.each(Object.entries(takings))(
  "S79: a link to %s, when it was made while the clock was ahead, is void from when that is right",
  async (_what, prepare) => {
    const { make, open } = await prepare();
    moveTime(AHEAD_MS);
    const ahead = await make(1);
    moveTime(0);
    expect((await open(ahead)).code).not.toBe("");
    await setRight();
    for (const days of [50, 400]) {
      moveTime(days * DAY_MS);
      expect((await open(ahead)).code).not.toBe("");
    }
    moveTime(0);
    expect((await open(await make(2))).code).toBe("");
  },
);

test("S79: a mailbox, when a link of a clock that was ahead was ended, is nobody's own longer than any link works", async () => {
  const holder = { userId: practice.ownerId, email: practice.email };
  const { make } = await takings["a new password"]();
  moveTime(AHEAD_MS);
  await make(1);
  await make(2);
  moveTime(0);
  await setRight();
  expect(await openLinksFor(holder)).toEqual([]);
});
