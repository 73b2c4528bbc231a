// What is spam stands apart, until somebody says that it is none.
import { createLogger } from "@app/server/core/logger";
import { captureLead } from "@app/server/features/leads/lead-capture.service";
import { settleLeads } from "@app/server/features/leads/lead-arrivals";
import { NO_ATTRIBUTION } from "@app/shared/leads";
import { expect, test } from "vitest";
import { anEnquiry } from "../support/access/leads-access.ts";
import { refusal } from "../support/access/refusal.ts";
import { aPractice } from "../support/server/people.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const log = createLogger("silent");

async function arrived(email: string): Promise<string> {
  const rest = { channel: "form" as const, attribution: NO_ATTRIBUTION, consent: "", flags: [], answers: null };
  const { id } = await captureLead(practice.ownerId, { ...rest, lead: anEnquiry({ email, phone: "" }) });
  await settleLeads(log);
  return id;
}

const openTasks = async () => (await practice.api.tasks.list.query({})).items.length;
const newOnBoard = async () => (await practice.api.leads.board.query({})).columns[0]?.count;
const EVER = { from: "2020-01-01", until: "2090-01-01" };

test("leads.setSpam: leads, when they are spam, leave New, the counts, the report and the tasks, and come back by the undo", async () => {
  const ids = [await arrived("spam@example.org"), await arrived("more@example.org")];
  await arrived("somebody@example.org");
  expect([await openTasks(), await newOnBoard()]).toEqual([3, 3]);
  expect(await practice.api.leads.setSpam.mutate({ ids, isSpam: true })).toEqual({ changed: 2 });
  expect([await openTasks(), await newOnBoard()]).toEqual([1, 1]);
  expect((await practice.api.leads.report.query(EVER)).total.enquiries).toBe(1);
  expect((await practice.api.leads.list.query({ state: "all" })).total).toBe(1);
  expect((await practice.api.leads.list.query({ state: "spam" })).total).toBe(2);
  const { id = "", version = 0 } = (await practice.api.leads.list.query({ state: "spam" })).items[0] ?? {};
  const moved = practice.api.leads.move.mutate({ id, version, to: "contacted" });
  expect((await refusal(moved)).message).toBe("Say first that this is no spam.");
  expect(await practice.api.leads.setSpam.mutate({ ids, isSpam: false })).toEqual({ changed: 2 });
  expect([await openTasks(), await newOnBoard()]).toEqual([3, 3]);
});

test("leads.setSpam: whoever sent it, when they write again, is marked, and nobody else", async () => {
  const id = await arrived("spam@example.org");
  await practice.api.leads.setSpam.mutate({ ids: [id], isSpam: true });
  const again = await arrived("spam@example.org");
  await arrived("somebody@example.org");
  const { items } = await practice.api.leads.list.query({});
  expect(items.map((lead) => [lead.email, lead.isFromSpammer])).toEqual(
    expect.arrayContaining([
      ["spam@example.org", true],
      ["somebody@example.org", false],
    ]),
  );
  expect(await practice.api.leads.get.query({ id: again })).toMatchObject({ isSpam: false, isFromSpammer: true });
});
