// Pictures and Word documents on their way to the server, as the page sends them.
import { newId } from "@app/server/core/ids";
import type { TestPerson } from "../server/people.ts";
import type { TestApp } from "../server/test-app.ts";

type Body = string | Uint8Array<ArrayBuffer>;

const send = (app: TestApp, person: TestPerson, address: string, said: object, body: Body) =>
  fetch(`${app.url}${address}?upload=${encodeURIComponent(JSON.stringify(said))}`, {
    method: "POST",
    headers: { cookie: person.cookies(), "content-type": "application/octet-stream", "sec-fetch-site": "same-origin" },
    body,
  });

interface Sent {
  textId: string;
  body: Body;
  name?: string;
  id?: string;
}

export const sendPicture = (
  app: TestApp,
  person: TestPerson,
  { textId, body, name = "picture.png", id = newId() }: Sent,
) => send(app, person, "/document-pictures", { id, textId, name }, body);

export const sendWord = (app: TestApp, person: TestPerson, { textId, body, name = "text.docx", id = newId() }: Sent) =>
  send(app, person, "/word-imports", { id, textId, name }, body);

export const sendLogo = (app: TestApp, person: TestPerson, body: Body) =>
  send(app, person, "/practice-logo", { id: newId(), name: "logo.png" }, body);

export async function idIn(response: Response): Promise<string> {
  const answer: unknown = await response.json();
  return typeof answer === "object" && answer !== null && "id" in answer ? String(answer.id) : "";
}
