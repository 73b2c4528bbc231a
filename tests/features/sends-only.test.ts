import { expect, test } from "vitest";
import { connectProvider } from "../support/mail/mail-mocks.ts";
import { aClient, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);

test("inbox.list: when the only mailbox is one that is not read, then it says that it only sends, and which it is", async () => {
  const practice = await aPractice(app);
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "priya@example.org" }));
  const list = () => practice.api.inbox.list.query({ clientId, search: "", offset: 0 });
  expect(await list()).toMatchObject({ state: "no_mailbox" });
  await connectProvider(practice.ownerId, "ines@gmail.example.org");
  expect(await list()).toMatchObject({ state: "sends_only", mailbox: "ines@gmail.example.org" });
});
