import { SystemMailModel } from "@app/server/features/mail/system-mail.model";
import { expect, test } from "vitest";
import { EMAILJS_SETTINGS } from "../support/mail/mail-mocks.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aPractice, aVisitor } from "../support/server/people.ts";
import { generalPlace, MARK, markedAnswers, submit } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(() => startTestApp({ ...EMAILJS_SETTINGS, EMAILJS_HOST: "http://127.0.0.1:9" }));
const practice = forEachTest(() => aPractice(app));

const tasks = async () => (await practice.api.tasks.list.query({ isOpen: true })).items;
const mails = () => SystemMailModel.find({ owner_id: practice.ownerId }).lean();

test("“Tell the mediator”: by the general address, when an answer is marked, its owner has a task and a mail that says nothing of it", async () => {
  const { row } = await markedAnswers(practice, "yes");
  expect((await tasks()).map(({ title }) => title)).toEqual([`Read the answers to “Walk”: ${MARK}`]);
  expect(row.flags).toEqual([MARK]);
  const sent = await mails();
  expect(sent).toHaveLength(1);
  expect(JSON.stringify(sent)).not.toMatch(/CANARY|Walk|Hull/);
  await practice.api.submissions.setStatus.mutate({ id: row.id, version: row.version, status: "under_review" });
  expect(await tasks()).toHaveLength(1);
  await practice.api.submissions.setStatus.mutate({ id: row.id, version: row.version + 1, status: "processed" });
  expect(await tasks()).toEqual([]);
});

test("“Tell the mediator”: where nothing is marked, nobody is told", async () => {
  const { row } = await markedAnswers(practice, "no");
  expect([row.flags, await tasks(), await mails()]).toEqual([[], [], []]);
});

test("a form that marks something: when a program drives its page, it is refused with 451, because a mail would leave", async () => {
  const { form } = await markedAnswers(practice, "no");
  const program = aVisitor(app, { "x-webdriver": "true" });
  const sent = submit(program, await generalPlace(practice, form.id), { town: "Hull", children: "yes" });
  await expect(sent).rejects.toMatchObject({ data: { httpStatus: 451 } });
});
