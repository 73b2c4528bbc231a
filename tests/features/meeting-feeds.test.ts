// How often calendar programs may ask for a feed.
import { expect, test } from "vitest";
import { moveTime } from "../support/access/refusal.ts";
import { aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);

const statusOf = async (pathname: string) => (await fetch(`${app.url}${pathname}`)).status;
const statusesOf = async (pathname: string, times: number) => {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) statuses.push(await statusOf(pathname));
  return statuses;
};
const aFeed = async (): Promise<string> => {
  const { address } = await (await aPractice(app)).api.meetings.makeFeed.mutate({ level: "busy" });
  return new URL(address).pathname;
};

test("GET /ical: twenty devices behind one address ask as often as they do, and devices of nobody there stop none of them", async () => {
  const feed = await aFeed();
  expect(new Set(await statusesOf(feed, 80))).toEqual(new Set([200]));
  const strange = await statusesOf("/ical/nobodys.ics", 70);
  expect([strange[0], strange.at(-1)]).toEqual([404, 429]);
  expect(await statusOf(feed)).toBe(200);
});

test("GET /ical: one calendar that is asked for without end has to wait for the next minute, and no other one", async () => {
  const [feed, other] = [await aFeed(), await aFeed()];
  moveTime(0);
  const statuses = await statusesOf(feed, 121);
  expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
  expect(await statusOf(other)).toBe(200);
  moveTime(60_000);
  expect(await statusOf(feed)).toBe(200);
});
