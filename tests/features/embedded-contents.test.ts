// A file of the case that stands in the text of a mail is judged like one that is attached to it.
import { Readable } from "node:stream";
import { storeFile } from "@app/server/features/files/files.service";
import { embeddedContents } from "@app/server/features/mail/embedded-contents.service";
import { forParty } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { sendByFunction } from "../support/mail/by-function.ts";
import { aSendingPractice, INES } from "../support/mail/sending-practice.ts";
import { forEachTest } from "../support/server/lifetimes.ts";
import { aCase, scopeOf } from "../support/server/people.ts";

const { app, practice, smtp } = aSendingPractice();
const CONTENT = "I would take half, and not a penny less";
const BASE64 = Buffer.from(CONTENT).toString("base64");
const built = forEachTest(async () => {
  const made = await aCase(practice);
  await storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(CONTENT)]), {
    name: "words.txt",
    visibility: forParty(made.p1.partyId),
    caseId: made.theCase.id,
    clientId: null,
  });
  return made;
});

const ADDRESS = `data:text/plain;base64,${BASE64}`;
const BROKEN = `d\ta\r\nt\na:text/plain;base64,${BASE64}`;
const QUOTING = `data:text/plain;name="a,b \\", c";base64,${BASE64}`;
const drawing = (address: string) => `<svg xmlns="http://www.w3.org/2000/svg"><image href="${address}"/></svg>`;
const HIDDEN = encodeURIComponent(drawing(ADDRESS)).replaceAll("data", "d%61ta");
const BODIES: Record<string, string> = {
  "a picture": `<p>Hello</p><p><img src="${ADDRESS}"></p>`,
  "a link": `<p><a href="${ADDRESS}">Open</a></p>`,
  "a picture without quotes": `<p><img src=${ADDRESS} alt=x></p>`,
  "an address of entities": `<p><img src="d&#97;ta&colon;text/plain;base64,${BASE64}"></p>`,
  "an address in capitals with blanks": `<p><img src=" DATA:text/plain;base64,${BASE64.replace(/(.{10})/g, "$1\n")}"></p>`,
  "signs in percent": `<p><img src="data:text/plain,${encodeURIComponent(CONTENT)}"></p>`,
  "a style": `<div style="background: url('${ADDRESS}')">Hello</div>`,
  "a style sheet": `<html><style>p { background: url(${ADDRESS}) }</style><p>Hello</p></html>`,
  "a list of pictures": `<p><img srcset="${ADDRESS} 1x, data:image/png;base64,AAAA 2x"></p>`,
  "the second of two pictures": `<p><img src="data:image/png;base64,AAAA"><img src="${ADDRESS}"></p>`,
  "a comment": `<p>Hello<!-- ${ADDRESS} --></p>`,
  "a text without layout": `Hello\n${ADDRESS}\n`,
  "an address with tabs and ends of lines in its scheme": `<p><img src="${BROKEN}"></p>`,
  "an address with ends of lines in its text": `<p><img src="data:text/plain,${CONTENT.replace("half", "ha\nlf")}"></p>`,
  "an address with a comma in quotes": `<p><a href='${QUOTING}'>Open</a></p>`,
  "a style with a comma in quotes": `<div style='background: url(${QUOTING}) no-repeat'>Hello</div>`,
  "a drawing in percent": `<p><img src="data:image/svg+xml,${HIDDEN}"></p>`,
  "a drawing in base64": `<p><img src="data:image/svg+xml;base64,${Buffer.from(drawing(ADDRESS)).toString("base64")}"></p>`,
  "a long text": `<p>${"Hello. ".repeat(2000)}</p><p><img src="${ADDRESS}"></p>`,
};

test.each(Object.entries(BODIES))(
  "functions/imap-send: what is for one party alone, in %s, leaves to the other by no way",
  async (_what, body) => {
    const refused = await sendByFunction(app, practice, INES, { to: [built.second.email], body });
    expect([refused.status, smtp.received.length]).toEqual([409, 0]);
    const sent = await sendByFunction(app, practice, INES, { to: [built.first.email], body });
    expect([sent.status, smtp.received.length]).toEqual([200, 1]);
    smtp.received.length = 0;
  },
);

test("embeddedContents: what stands there is found, and a text without any has none", () => {
  for (const body of Object.values(BODIES)) expect(embeddedContents(body).map(String)).toContain(CONTENT);
  expect(embeddedContents("<p>The data: see our page, and <a href='https://example.org/data:x'>more</a>.</p>")).toEqual(
    [expect.any(Buffer), expect.any(Buffer)],
  );
  expect(embeddedContents("<p>Hello</p>")).toEqual([]);
});
