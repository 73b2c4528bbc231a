import { canonicalEmail, foldEmail, samePerson } from "@app/shared/email-address";
import fc from "fast-check";
import { expect, test } from "vitest";

test.each([
  ["Ida@MÜNCHEN.de", "ida@xn--mnchen-3ya.de"],
  ["ida@XN--Mnchen-3YA.DE", "ida@xn--mnchen-3ya.de"],
  ["ida@mu\u0308nchen.de", "ida@xn--mnchen-3ya.de"],
  ["ｐｒｉｙａ@ｅｘａｍｐｌｅ.ｏｒｇ", "priya@example.org"],
  ["priya@example。org", "priya@example.org"],
  ["Zoë@example.org", "zoë@example.org"],
  ["zoe\u0308@example.org", "zoë@example.org"],
  ["priya+case@example.org", "priya+case@example.org"],
])("S67: %j has one form, %j", (typed, kept) => {
  expect(canonicalEmail(typed)).toBe(kept);
});

test.each([
  ["priya@example.org", "Priya+solicitor@EXAMPLE.org"],
  ["priya@example.org", "priya+@example.org"],
  ["p.riya@gmail.com", "priya+x@googlemail.com"],
  ["bea@icloud.com", "Bea+x@me.com"],
  ["bea@mac.com", "bea@me.com"],
  ["bea.lund@proton.me", "bea-lund+x@protonmail.com"],
  ["bea_lund@pm.me", "bealund@protonmail.ch"],
  ["bea@yandex.ru", "bea@yandex.com.tr"],
  ["bea@ya.ru", "bea+x@yandex.com"],
  ["bea.lund@yandex.ru", "Bea-Lund+x@ya.ru"],
  ["bea@fastmail.com", "shop@bea.fastmail.com"],
  ["bea_lund@fastmail.fm", "shop+x@bea-lund.fastmail.fm"],
  ["bea@mailbox.org", "bea@secure.mailbox.org"],
  ["bea@runbox.com", "bea@runbox.no"],
  ["ida@münchen.de", "Ida@xn--mnchen-3ya.de"],
  ["pri\u00ADya@example.org", "pri\u00ADya@example.org"],
])("S67: %j and %j reach the same person", (one, other) => {
  expect(samePerson(one, other)).toBe(true);
});

test.each([
  ["priya@example.org", "priya@example.com"],
  ["priya@example.org", "p.riya@example.org"],
  ["+a@example.org", "+b@example.org"],
  ["be.a@icloud.com", "bea@icloud.com"],
  ["bea@fastmail.com", "bea@fastmail.fm"],
  ["bea.lund@yandex.ru", "bealund@yandex.ru"],
  ["shop@bea.example.org", "bea@example.org"],
  ["bea@proton.me", "bea@proton.example"],
  ["...@gmail.com", "..@gmail.com"],
  ["", ""],
])("S67: %j and %j do not", (one, other) => {
  expect(samePerson(one, other)).toBe(false);
});

test.each([
  "=?utf-8?q?owen?=@example.org",
  "=?UTF-8?B?b3dlbg==?=@example.org",
  "a=?iso-8859-1?q?owen?=@example.org",
  "＝？utf-8？q？owen？＝@example.org",
])("S67: %j is no address, because a mail program may decode it into another", (typed) => {
  expect(canonicalEmail(typed)).toBeNull();
});

test("S67: signs of encoded words by themselves are part of an address", () => {
  expect(canonicalEmail("a=b?c@example.org")).toBe("a=b?c@example.org");
});

const anyAddress = fc
  .tuple(fc.string({ unit: "grapheme", maxLength: 20 }), fc.constantFrom("@", "＠", "﹫"), fc.domain())
  .map(([local, at, domain]) => `${local}${at}${domain}`);

test.each([
  '"owen.x"@example.org',
  "owen.x @ example.org",
  "owen . x@example . org",
  "@relay.example.org:owen.x@example.org",
  "@one.example,@two.example:owen.x@example.org",
  "owen.x@example.org.",
  '"owen\\.x"@example.org',
])("S67: what others wrote as %s is the same person", (written) => {
  expect(samePerson(written, "owen.x@example.org")).toBe(true);
  expect(samePerson(written, "owen.y@example.org")).toBe(false);
});

test("S67: the form of a form is itself, and nothing that nobody sees is left in it", () => {
  fc.assert(
    fc.property(anyAddress, (typed) => {
      const form = canonicalEmail(typed);
      if (form === null) return;
      expect(canonicalEmail(form)).toBe(form);
      expect(foldEmail(form)).toBe(form);
      expect(form).toMatch(/^[^\s\p{C}\p{Default_Ignorable_Code_Point}@]+@[a-z0-9.-]+$/u);
      expect(samePerson(form, typed)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
