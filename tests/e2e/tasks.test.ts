import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aPracticeStage, expectNoAxeViolations, type PracticeStage } from "../support/browser/e2e.ts";
import { aCase, aMeetingInput, clientFields } from "../support/server/people.ts";

const HOUR_MS = 3_600_000;

let stage: PracticeStage;
let page: Page;
beforeAll(async () => {
  stage = await aPracticeStage();
  ({ page } = stage);
});
afterAll(() => stage.stage.close());

/** Two are invited for tomorrow, of whom the second may not be emailed. */
async function bookedForTwo() {
  const { owner } = stage;
  const built = await aCase(owner);
  const { id, version, firstName, lastName, email } = built.second;
  const safeContact = { ...DEFAULT_SAFE_CONTACT, mayEmail: false };
  await owner.api.clients.update.mutate({
    id,
    version,
    client: clientFields({ firstName, lastName, email, safeContact }),
  });
  await owner.api.meetings.create.mutate(
    aMeetingInput(owner.ownerId, {
      caseId: built.theCase.id,
      partyIds: [built.p1.partyId, built.p2.partyId],
      startsAt: new Date(Date.now() + 24 * HOUR_MS).toISOString(),
      isInvitationSent: true,
    }),
  );
  return built;
}

const tasks = () =>
  page.getByRole("listitem").filter({ hasText: "of the appointment", has: page.getByRole("checkbox") });

test("a meeting is booked: when one of two may not be emailed, then the start names whom to tell, and the page of that client does not name them again", async () => {
  const { second } = await bookedForTwo();
  await page.goto("/dashboard");
  await tasks().waitFor();
  expect(await tasks().innerText()).toMatch(new RegExp(`^Tell P2 of the appointment.* · ${second.displayName}$`, "m"));
  await expectNoAxeViolations(page);
  await page.goto(`/clients/view/${second.id}`);
  await tasks().waitFor();
  expect(await tasks().innerText()).not.toContain(second.displayName);
  expect(stage.watched.complaints).toEqual([]);
});
