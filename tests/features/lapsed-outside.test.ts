// What people outside meet while the practice has no subscription: a kind word, and nothing is taken.
import { CustomerModel } from "@app/server/features/subscriptions/subscriptions.model";
import { SubmissionModel } from "@app/server/features/submissions/submissions.model";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { newId, newToken } from "@app/server/core/ids";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aLink, opened } from "../support/server/booked.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aPractice, aVisitor } from "../support/server/people.ts";
import { aFormLink, answered, aPublishedForm, generalPlace, save } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const CLOSED = { code: "PRECONDITION_FAILED", message: expect.stringMatching(/at the moment\. Please phone us/) };

const setStatus = (status: string) =>
  CustomerModel.updateOne({ _id: practice.ownerId }, { $set: { "subscriptions.$[].status": status } });

test("filling: of a practice without a subscription, when a form is opened, it says so kindly and takes nothing", async () => {
  const form = await aPublishedForm(practice);
  const link = await aFormLink(practice, { formId: form.id });
  const visitor = aVisitor(app);
  const begun = await save(visitor, link.place, { town: "Hull" });
  await setStatus("canceled");
  for (const place of [link.place, await generalPlace(practice, form.id).catch(() => link.place)])
    expect(await visitor.api.submissions.filling.open.mutate(place)).toMatchObject({ isClosed: true });
  expect(await refusal(save(visitor, link.place, { town: "York" }, { revision: begun.revision }))).toMatchObject(
    CLOSED,
  );
  const { formToken } = await visitor.api.submissions.filling.open.mutate(link.place);
  const sent = { ...link.place, id: newId(), number: 1, revision: 1, changes: answered({}), pageId: null, formToken };
  expect(await refusal(visitor.api.submissions.filling.submit.mutate({ ...sent, website: "" }))).toMatchObject(CLOSED);
  const [doc] = await SubmissionModel.find({ ownerId: practice.ownerId }).lean();
  expect(doc).toMatchObject({ status: "in_progress", revision: 1 });
  await setStatus("active");
  const again = await visitor.api.submissions.filling.open.mutate(link.place);
  expect(again).toMatchObject({ isClosed: false, answers: { town: "Hull" } });
});

test("bookings: of a practice without a subscription, when a link is opened, it says so kindly and holds nothing", async () => {
  const { publicId: id } = await practice.api.bookings.createLink.mutate(aLink(practice.ownerId));
  const { api } = aVisitor(app);
  const { times } = await opened(api, id);
  await setStatus("canceled");
  expect(await api.bookings.page.query({ id })).toMatchObject({ kind: "book", isClosed: true });
  const chosen = {
    id,
    version: 0,
    mediatorId: null,
    startsAt: times[0] ?? "",
    holder: newToken(),
    timeZone: "Europe/London",
  };
  expect(await refusal(api.bookings.hold.mutate(chosen))).toMatchObject(CLOSED);
  expect(await MeetingModel.countDocuments({ ownerId: practice.ownerId })).toBe(0);
});
