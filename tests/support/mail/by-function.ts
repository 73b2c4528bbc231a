import type { TestPractice } from "../server/people.ts";
import type { TestApp } from "../server/test-app.ts";

interface Asked {
  to: string[];
  cc?: string[];
  body?: string;
  attachments?: { mimeType: string; name: string; content: string }[];
}

/** Has a mail sent from this address of the practice's mailbox by the mail functions, as another program does. */
export const sendByFunction = (
  app: Pick<TestApp, "url">,
  practice: TestPractice,
  from: string,
  { to, cc = [], body = "<p>Hello</p>", attachments = [] }: Asked,
): Promise<Response> =>
  fetch(`${app.url}/functions/imap-send`, {
    method: "POST",
    headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/json" },
    body: JSON.stringify({
      userId: practice.ownerId,
      message: {
        from: { name: practice.practiceName, address: from },
        to: to.map((address) => ({ address })),
        cc: cc.map((address) => ({ address })),
        subject: "Your papers",
        body,
        attachments,
      },
    }),
  });
