import { foldEmail } from "@app/shared/email-address";
import { composeMail } from "@app/server/features/mail/senders/compose";
import { composeSmallMail } from "@app/server/features/mail/senders/small-mail.service";
import type { OutgoingMail } from "@app/server/features/mail/senders/sender.service";
import { mimeOf, singleMimeOf } from "@app/server/features/mail/attachments.service";
import { recipientsOf } from "@app/server/features/mail/recipients.service";
import { lineSchema } from "@app/shared/text";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { forAllTests } from "../support/server/lifetimes.ts";
import { startTestApp } from "../support/server/test-app.ts";

// Its key seals whom an answer comes to.
forAllTests(startTestApp);

const FROM = { name: "Quillfeather", address: "ines@practice.example.org" };
const aMail = (overrides: Partial<OutgoingMail> = {}): OutgoingMail => ({
  fromName: FROM.name,
  to: ["priya@example.org"],
  toName: "Priya",
  cc: [],
  subject: "Hello",
  body: "Hello",
  isHtml: false,
  attachments: [],
  messageId: "<one@example.org>",
  headers: {},
  calendar: null,
  ...overrides,
});

const ASKER = { group: "practice", one: "ines" };

/** Any text that our schemas let pass as one line. */
const aLine = fc
  .string({ unit: "grapheme", maxLength: 60 })
  .map((text) => lineSchema(200).safeParse(text))
  .filter((parsed) => parsed.success)
  .map(({ data }) => data.normalize("NFC").replace(/\s+/gu, " "));
const HEADERS = [
  "cc",
  "content-transfer-encoding",
  "content-type",
  "date",
  "from",
  "message-id",
  "mime-version",
  "subject",
  "to",
];

test("a mail: whatever stands in subject, names and file names, it has the headers and recipients it was given", async () => {
  await fc.assert(
    fc.asyncProperty(aLine, aLine, aLine, async (subject, toName, filename) => {
      const attachments = [{ name: filename, mime: "application/pdf", content: Buffer.from("PDF") }];
      const { bytes, envelope } = await composeMail(
        FROM,
        aMail({ subject, toName, cc: ["tom@example.org"], attachments }),
        ASKER,
      );
      const parsed = await PostalMime.parse(bytes);
      expect(envelope).toEqual({ from: FROM.address, to: ["priya@example.org", "tom@example.org"] });
      expect(HEADERS).toEqual(expect.arrayContaining(parsed.headers.map(({ key }) => key)));
      expect(parsed.to?.map(({ address }) => address)).toEqual(["priya@example.org"]);
      expect(parsed.cc?.map(({ address }) => address)).toEqual(["tom@example.org"]);
      expect(parsed.attachments).toHaveLength(1);
      expect(parsed.subject ?? "").toBe(subject);
    }),
    { numRuns: 300 },
  );
});

const ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/;

test("recipients: any text is exactly the addresses between its commas, or refused", () => {
  const aPart = fc.oneof(
    fc.constantFrom("a@example.org", "B@Example.org", " c@example.org ", "", '"d@evil.test x"@ok.test', "e@f@g.org"),
    fc.constantFrom(
      "Group: x@y.org;",
      "f@example.org (comment)",
      "g@example.org\r\nRCPT TO:<v@x.org>",
      "ü@bücher.example",
    ),
    fc.string({ unit: "binary", maxLength: 20 }),
  );
  fc.assert(
    fc.property(fc.array(aPart, { maxLength: 8 }), (parts) => {
      const text = parts.join(",");
      let found: string[];
      try {
        found = recipientsOf("to_email", text);
      } catch (error) {
        expect(error).toMatchObject({ code: "BAD_REQUEST", cause: { field: "to_email" } });
        return;
      }
      const expected = text.split(",").map(foldEmail);
      expect(found).toEqual([...new Set(expected.filter(Boolean))]);
      for (const address of found) expect(address).toMatch(ADDRESS);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ["a.pdf", "application/pdf"],
  ["a.DOC", "application/msword"],
  ["a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["a.txt", "text/plain"],
  ["a.jpg", "image/jpeg"],
  ["a.jpeg", "image/jpeg"],
  ["a.png", "image/png"],
  ["a.gif", "image/gif"],
  ["a.ics", "text/calendar"],
  ["a.exe", "application/octet-stream"],
  ["pdf", "application/octet-stream"],
  ["", "application/octet-stream"],
  ["a.__proto__", "application/octet-stream"],
  ["a.constructor", "application/octet-stream"],
])("attachments: %j is %s by its extension", (name, mime) => expect(mimeOf(name)).toBe(mime));

test.each([
  ["meeting.ICS", "text/calendar"],
  ["letter.docx", "application/pdf"],
  ["ics", "application/pdf"],
])("attachments: a single one named %j is %s", (name, mime) => expect(singleMimeOf(name)).toBe(mime));

/** Texts as people write them: lines of any length, any script, signs that an encoding has a use for. */
const aText = fc
  .array(
    fc.oneof(fc.string({ unit: "grapheme", maxLength: 200 }), fc.constantFrom("", ".", "=", "From here", "a=3D ")),
    {
      maxLength: 8,
    },
  )
  .map((lines) => lines.map((line) => line.replace(/[\r\n\0\u0085\u2028\u2029]/g, " ")).join("\n"));

/** How a line ends, and whether the last one does, is nothing that anybody sees. */
const lines = (text: string) => text.replaceAll("\r\n", "\n").trimEnd();

test("a mail of text alone: written out at once, then it says exactly what it says when it is streamed", async () => {
  await fc.assert(
    fc.asyncProperty(aLine, aText, fc.boolean(), async (subject, text, isHtml) => {
      const mail = aMail({ subject, body: isHtml ? `<p>${text}</p>` : text, isHtml, text, headers: { "X-One": "1" } });
      const small = composeSmallMail(FROM, mail);
      const streamed = await composeMail(FROM, mail, ASKER);
      expect(small.envelope).toEqual(streamed.envelope);
      const read = async (bytes: Buffer) => {
        const { headers, html = "", text: plain = "", from, to, subject: title } = await PostalMime.parse(bytes);
        return {
          html: lines(html),
          plain: lines(plain),
          from,
          to,
          title,
          keys: headers.map(({ key }) => key),
        };
      };
      expect(await read(small.bytes)).toEqual(await read(streamed.bytes));
      expect(
        Math.max(
          ...small.bytes
            .toString("latin1")
            .split("\r\n")
            .map(({ length }) => length),
        ),
      ).toBeLessThan(998);
    }),
    { numRuns: 300 },
  );
});
