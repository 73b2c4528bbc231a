// The address by which one person chooses their times ends with the right of whoever saw it; its person goes on by a new one.
import { newId } from "@app/server/core/ids";
import { BookingLinkModel } from "@app/server/features/bookings/bookings.model";
import { BookingPairModel } from "@app/server/features/bookings/pairs.model";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import type { Permission } from "@app/shared/access";
import { beforeEach, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aPair, bookAs, mailsOf, makeLink, opened } from "../support/server/booked.ts";
import { mayContact, othersAnswered } from "../support/server/contactable.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import {
  aCase,
  aClient,
  aPractice,
  aStaffUser,
  aVisitor,
  clientFields,
  setPermissions,
  type TestPerson,
} from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const visitor = () => aVisitor(app).api;
beforeEach(() => forgetAttempts());

const RIGHTS = ["clients.read", "calendar.manage"] as const satisfies Permission[];
const GONE = { code: "NOT_FOUND" };
const aClerk = () => aStaffUser(app, practice, { permissions: [...RIGHTS] });
const look = (id: string) => refusal(visitor().bookings.page.query({ id }));

const suspend = async ({ email }: TestPerson) => {
  const { items } = await practice.api.staff.list.query();
  await practice.api.staff.suspend.mutate({ id: items.find((one) => one.email === email)?.id ?? "" });
};
const ENDS: [string, (person: TestPerson) => Promise<unknown>][] = [
  ["is suspended", suspend],
  [
    "sees only cases to which they are assigned",
    (person) => setPermissions(practice, person, [...RIGHTS, "assigned_only"]),
  ],
  ["may not manage the calendar any more", (person) => setPermissions(practice, person, ["clients.read"])],
];

async function aPairOf(by: Pick<TestPerson, "api"> = practice) {
  const built = await aCase(practice);
  await mayContact(built.theCase);
  await othersAnswered(built.theCase);
  const of = { caseId: built.theCase.id, partyIds: [built.p1.partyId, built.p2.partyId] };
  const { sides } = await by.api.bookings.createPair.mutate(aPair(practice.ownerId, of));
  return { ...built, ids: sides.map(({ publicId }) => publicId) };
}
const idsNow = async () => {
  const { items } = await practice.api.bookings.listPairs.query({ page: 1 });
  return items.flatMap(({ sides }) => sides.map(({ publicId }) => publicId));
};

test.each(ENDS)(
  "a private pair: when somebody who saw its links %s, then both end, and each party gets their own new one",
  async (_what, end) => {
    const { p1, p2, ids } = await aPairOf();
    const clerk = await aClerk();
    await clerk.api.bookings.listPairs.query({ page: 1 });
    const { page, times } = await opened(visitor(), ids[0] ?? "");
    const [time = ""] = times;
    const sent = { times: [time], timeZone: "Europe/London", formToken: page.formToken, website: "" };
    await visitor().bookings.pick.mutate({ id: ids[0] ?? "", ...sent });
    const later = await opened(visitor(), ids[1] ?? "");
    await end(clerk);
    const picked = { ...sent, formToken: later.page.formToken, id: ids[1] ?? "" };
    expect(await refusal(visitor().bookings.pick.mutate(picked))).toMatchObject(GONE);
    for (const id of ids) expect(await look(id)).toMatchObject(GONE);
    const fresh = await idsNow();
    expect(fresh.some((id) => ids.includes(id))).toBe(false);
    const mails = await mailsOf(practice.ownerId);
    expect(mails.map(({ partyId }) => partyId)).toEqual([p1.partyId, p2.partyId]);
    for (const [at, { text }] of mails.entries()) {
      expect(text).toContain(fresh[at]);
      expect(text).not.toContain(fresh[1 - at]);
      expect(text).not.toMatch(/mediat|\bother\b|both|party/i);
    }
    expect((await opened(visitor(), fresh[0] ?? "")).page).toMatchObject({ state: "waiting", picks: [time] });
    expect((await opened(visitor(), fresh[1] ?? "")).page).toMatchObject({ state: "asked", picks: [] });
  },
);

test("a private pair: when whoever made it is suspended, then its links end", async () => {
  const clerk = await aClerk();
  const { ids } = await aPairOf(clerk);
  expect(await look(ids[0] ?? "")).toMatchObject({ code: "" });
  await suspend(clerk);
  expect(await look(ids[0] ?? "")).toMatchObject(GONE);
});

test("a private pair: when its links end and a party may not be mailed, then the owner is asked to hand them theirs", async () => {
  const { p1, p2, ids } = await aPairOf();
  const clerk = await aClerk();
  await clerk.api.bookings.listPairs.query({ page: 1 });
  const { version, email } = await practice.api.clients.get.query({ id: p1.clientId });
  const safeContact = { ...DEFAULT_SAFE_CONTACT, mayEmail: false };
  await practice.api.clients.update.mutate({ id: p1.clientId, version, client: clientFields({ email, safeContact }) });
  await suspend(clerk);
  expect(await look(ids[1] ?? "")).toMatchObject(GONE);
  expect((await mailsOf(practice.ownerId)).map(({ partyId }) => partyId)).toEqual([p2.partyId]);
  const { items } = await practice.api.tasks.list.query({ clientId: p1.clientId });
  expect(items).toContainEqual(
    expect.objectContaining({
      title: expect.stringMatching(/^Their booking link was replaced: give .* the new one/),
      assigneeId: practice.ownerId,
    }),
  );
});

test("a private pair: when a colleague who never saw its links is suspended, then they lead on", async () => {
  const { ids } = await aPairOf();
  await suspend(await aClerk());
  for (const id of ids) expect(await look(id)).toMatchObject({ code: "" });
});

test("a private pair: when nobody noted who saw its links, then they end once anybody of the practice may not see them", async () => {
  const { ids } = await aPairOf();
  await BookingPairModel.updateMany({ ownerId: practice.ownerId }, { $unset: { shownTo: "" } });
  await suspend(await aClerk());
  expect(await look(ids[0] ?? "")).toMatchObject(GONE);
  expect(await look((await idsNow())[0] ?? "")).toMatchObject({ code: "" });
});

const linkNow = async (id: string) => (await practice.api.bookings.getLink.query({ id })).publicId;

test.each(ENDS)(
  "a personal booking link: when somebody who saw it %s, then it ends, and its person gets a new one",
  async (_what, end) => {
    const client = await practice.api.clients.create.mutate(aClient({ email: `una.${newId()}@example.org` }));
    const link = await makeLink(practice, { clientId: client.id });
    const clerk = await aClerk();
    await clerk.api.bookings.listLinks.query({});
    expect(await look(link.publicId)).toMatchObject({ code: "" });
    await end(clerk);
    expect(await refusal(bookAs(visitor(), link.publicId, { person: null }))).toMatchObject(GONE);
    expect(await look(link.publicId)).toMatchObject(GONE);
    const fresh = await linkNow(link.id);
    expect(fresh).not.toBe(link.publicId);
    const mails = await mailsOf(practice.ownerId);
    expect(mails).toMatchObject([{ clientId: client.id, text: expect.stringContaining(fresh) }]);
    expect(await look(fresh)).toMatchObject({ code: "" });
  },
);

test("a personal booking link of a party: when it ends, then it is told as every letter of the case", async () => {
  const { theCase, p1 } = await aCase(practice);
  await mayContact(theCase);
  const link = await makeLink(practice, { clientId: p1.clientId, caseId: theCase.id });
  const clerk = await aClerk();
  await clerk.api.bookings.getLink.query({ id: link.id });
  await suspend(clerk);
  expect(await look(link.publicId)).toMatchObject(GONE);
  expect(await mailsOf(practice.ownerId)).toMatchObject([{ clientId: p1.clientId, partyId: p1.partyId }]);
});

test("a booking link for everybody: when somebody who saw it is suspended, then it leads on", async () => {
  const clerk = await aClerk();
  const link = await makeLink(practice);
  await clerk.api.bookings.listLinks.query({});
  await suspend(clerk);
  expect(await look(link.publicId)).toMatchObject({ code: "" });
  expect(await BookingLinkModel.findOne({ ownerId: practice.ownerId, _id: link.id }).lean()).toMatchObject({
    shownTo: [],
  });
});

test("a personal booking link: when whoever saw it entered another address for its person, then that gets no new one", async () => {
  const client = await practice.api.clients.create.mutate(aClient({ email: `una.${newId()}@example.org` }));
  const link = await makeLink(practice, { clientId: client.id });
  const clerk = await aStaffUser(app, practice, { permissions: [...RIGHTS, "clients.write"] });
  await clerk.api.bookings.listLinks.query({});
  const changed = clientFields({ email: `own.${newId()}@example.org` });
  await clerk.api.clients.update.mutate({ id: client.id, version: client.version, client: changed });
  await suspend(clerk);
  expect(await look(link.publicId)).toMatchObject(GONE);
  expect(await mailsOf(practice.ownerId)).toEqual([]);
  const { items } = await practice.api.tasks.list.query({ clientId: client.id });
  expect(items.map(({ title }) => title)).toContainEqual(expect.stringMatching(/^Their booking link was replaced/));
});
