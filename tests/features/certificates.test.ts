import { allowedReasons } from "@app/shared/certificates";
import { addMonths } from "@app/shared/days";
import { datesIn } from "@app/server/core/dates";
import { createLogger } from "@app/server/core/logger";
import { DAY_MS } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { remindOfCertificates } from "@app/server/features/certificates/certificate-reminders";
import { expect, test } from "vitest";
import { aCase, aPractice, aStaffUser, ledBy, PASSWORD, type TestPractice } from "../support/server/people.ts";
import { moveTime, refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const today = () => new Date().toISOString().slice(0, 10);
const accredit = async (owner: TestPractice) => {
  const { version } = await owner.api.users.profile.query();
  await owner.api.users.updateProfile.mutate({
    firstName: "Ines",
    lastName: "Marchbank",
    isAccredited: true,
    accreditationNumber: "1234A",
    version,
  });
};

test("addMonths: four months later, and the end of a month that is shorter", () => {
  expect(["2026-08-02", "2026-10-31", "2027-10-31", "2025-12-31"].map((day) => addMonths(day, 4))).toEqual([
    "2026-12-02",
    "2027-02-28",
    "2028-02-29",
    "2026-04-30",
  ]);
});

test("allowedReasons: nothing but an exemption before the applicant attended, and what the other side's state says after", () => {
  const standing = (one: string, other: string, status = "awaiting_second_party") => ({
    status,
    parties: [
      { partyId: "a", status: one },
      { partyId: "b", status: other },
    ],
  });
  const reasons = (...args: Parameters<typeof standing>) => {
    const { status, parties } = standing(...args);
    const typed = parties.map(({ partyId, status: step }) => ({ partyId, status: step }));
    return allowedReasons({ status, parties: JSON.parse(JSON.stringify(typed)) }, "a");
  };
  expect(reasons("invited", "refused")).toEqual(["exempt"]);
  expect(reasons("miam_attended", "refused")).toEqual(["respondent_unwilling", "exempt", "applicant_stops"]);
  expect(reasons("miam_attended", "no_response")).toContain("respondent_unwilling");
  expect(reasons("not_suitable", "responded")).toContain("unsuitable");
  expect(reasons("active", "active", "terminated")).toContain("broken_down");
  expect(reasons("suitable", "suitable", "ready")).not.toContain("broken_down");
});

test("certificates.issue: who is not accredited is refused, and told what to do", async () => {
  const { theCase, p1 } = await aCase(practice, ledBy(practice.ownerId));
  const input = { caseId: theCase.id, partyId: p1.partyId, reason: "exempt" as const, issuedOn: today() };
  expect(await refusal(practice.api.certificates.issue.mutate({ id: newId(), ...input }))).toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("on your profile"),
  });
});

test("certificates.issue: an accredited mediator, when they mediate another case only, signs nothing in this one", async () => {
  const own = await aPractice(app);
  const mediator = await aStaffUser(app, own, { role: 2 });
  const profile = await mediator.api.users.profile.query();
  await mediator.api.users.updateProfile.mutate({ ...profile, isAccredited: true, accreditationNumber: "77B" });
  const { user } = await mediator.api.auth.status.query();
  await aCase(own, ledBy(user?.userId ?? ""));
  const { theCase, p1 } = await aCase(own, ledBy(own.ownerId));
  const input = { caseId: theCase.id, partyId: p1.partyId, reason: "exempt" as const, issuedOn: today() };
  expect(await refusal(mediator.api.certificates.issue.mutate({ id: newId(), ...input }))).toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("Only a mediator of this case"),
  });
  expect((await own.api.certificates.list.query({ caseId: theCase.id })).items).toEqual([]);
});

test("certificates: issued, reminded of once, expired after four months, and not usable then", async () => {
  const own = await aPractice(app);
  await accredit(own);
  const { theCase, p1 } = await aCase(own, ledBy(own.ownerId));
  const input = { caseId: theCase.id, partyId: p1.partyId, issuedOn: today() };
  expect(
    await refusal(own.api.certificates.issue.mutate({ id: newId(), ...input, reason: "applicant_stops" })),
  ).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("What can:"),
  });
  const issued = await own.api.certificates.issue.mutate({ id: newId(), ...input, reason: "exempt" });
  expect(issued).toMatchObject({ status: "issued", expiresOn: addMonths(today(), 4), number: "C-0001" });
  const log = createLogger("silent");
  const signIn = () => own.api.auth.signIn.mutate({ email: own.email, password: PASSWORD, isRemembered: false });
  const tasks = async () => (await own.api.tasks.list.query({})).items.map(({ title }) => title);
  await remindOfCertificates(log);
  expect(await tasks()).toEqual([]);
  moveTime(110 * DAY_MS);
  await signIn();
  await Promise.all([remindOfCertificates(log), remindOfCertificates(log)]);
  expect(await tasks()).toEqual([
    `Certificate C-0001 expires on ${datesIn("england_wales", "UTC").calendarDay(issued.expiresOn)}: remind the client`,
  ]);
  const late = moveTime(130 * DAY_MS)
    .toISOString()
    .slice(0, 10);
  await signIn();
  await remindOfCertificates(log);
  await remindOfCertificates(log);
  expect(await tasks()).toHaveLength(2);
  const { items } = await own.api.certificates.list.query({ caseId: theCase.id });
  expect(items[0]).toMatchObject({ status: "expired" });
  expect(await refusal(own.api.certificates.use.mutate({ id: issued.id, usedOn: late }))).toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("certificates.void: a void one is neither used nor printed", async () => {
  const own = await aPractice(app);
  await accredit(own);
  const { theCase, p1, second } = await aCase(own, ledBy(own.ownerId));
  const input = { caseId: theCase.id, partyId: p1.partyId, reason: "exempt" as const, issuedOn: today() };
  const { id } = await own.api.certificates.issue.mutate({ id: newId(), ...input });
  const pdf = () => fetch(`${app.url}/export/certificates/${id}.pdf`, { headers: { cookie: own.cookies() } });
  const before = await pdf();
  expect([before.status, before.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  const bytes = Buffer.from(await before.arrayBuffer());
  expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
  expect(bytes.toString("latin1")).not.toContain(second.lastName);
  await own.api.certificates.void.mutate({ id, reason: "Typing error" });
  expect((await pdf()).status).toBe(412);
  const { items } = await own.api.partyView.preview.query({ caseId: theCase.id, partyId: p1.partyId });
  expect(items.find((item) => item.id === id)?.detail).toBe("Declared void: it proves nothing any more.");
  expect(await refusal(own.api.certificates.use.mutate({ id, usedOn: today() }))).toMatchObject({
    code: "PRECONDITION_FAILED",
  });
});
