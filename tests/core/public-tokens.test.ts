// A link is known by its secret, wherever one is kept: a feature that hands out links says where.
import "@app/server/app";
import "@app/server/core/key-check";
import { newToken } from "@app/server/core/ids";
import { publicTokens } from "@app/server/core/public-tokens";
import { lookThrough } from "@app/server/core/personal-links";
import { holdsToken, replaceTokens } from "@app/server/core/token-runs";
import mongoose from "mongoose";
import { expect, test } from "vitest";

/** Fields that sound like the secret of a link, and why they need not be known by it. */
const NO_PUBLIC_TOKEN: Record<string, string> = {
  "booking_links.publicEnc": "the same as the hash beside it",
  "form_links.tokenEnc": "the same as the hash beside it",
  "form_addresses.publicId": "the practice's part of a general address, which anybody may have",
  "forms.publicId": "a form's part of its addresses, which anybody may have",
  "mailing_items.unsubscribeToken": "tells nothing, and only stops mailings to whoever has the mail",
  "meetings.booking.sentHash": "of what was sent, not of a secret",
  "conflict_checks.termsHash": "of names that were looked for",
  "installation.hash_key_enc": "a key, and in no address",
  "users.password_hash": "a password",
  "users.totp.recovery_hashes": "opens nothing without the password",
  "users.totp.secret_enc": "opens nothing without the password",
  "users.totp.pending_secret_enc": "opens nothing without the password",
  "email_credentials.imap.secret_enc": "a password of a mailbox",
  "email_credentials.smtp.secret_enc": "a password of a mailbox",
  "sendings.inputHash": "of what was asked for",
  "form_submissions.formTokenHash": "of a page that was loaded, and in no address",
  "payments.tokenEnc": "the same as its hash",
  "payments.deposit.visitHash": "the same as that of its booking",
  "signatures.tokensEnc": "the same as the hashes of its signers",
  "signatures.signers.codeHash": "of a code that opens nothing without the link",
  "signatures.content.hash": "of a document",
  "signatures.trail.hash": "of a line of what happened",
  "signatures.sealHash": "of a seal, which is in the document",
  "signatures.sealedHash": "of a document",
  "slot_holds.tokenHash": "a browser's, for minutes, and in no address",
  "slot_holds.networkHashes": "of addresses in the networks",
};

const SOUNDS_LIKE_ONE = /hash|token|secret|public/i;

function pathsOf(schema: mongoose.Schema, place: string): string[] {
  const found: string[] = [];
  schema.eachPath((path, type) => {
    if (type.schema) found.push(...pathsOf(type.schema, `${place}.${path}`));
    else found.push(`${place}.${path}`);
  });
  return found;
}

const paths = Object.values(mongoose.models).flatMap((model) => pathsOf(model.schema, model.collection.name));
const kept = publicTokens().map(({ collection, path }) => `${collection}.${path}`);

test("public tokens: each field that may keep one, when all models are read, is registered or has a reason not to be", () => {
  expect(paths.length).toBeGreaterThan(500);
  const known = new Set([...kept, ...Object.keys(NO_PUBLIC_TOKEN)]);
  const sounding = paths.filter((path) => SOUNDS_LIKE_ONE.test(path.split(".").at(-1) ?? ""));
  expect(sounding.filter((path) => !known.has(path))).toEqual([]);
});

test("public tokens: what is registered or has a reason, when all models are read, is there, and once", () => {
  const named = [...kept, ...Object.keys(NO_PUBLIC_TOKEN)];
  expect(named.filter((path) => !paths.includes(path))).toEqual([]);
  expect(named).toEqual([...new Set(named)]);
});

const tokensIn = (text: string) => lookThrough(text).candidates;
const defended = (address: string) =>
  address
    .replace(/[^A-Za-z0-9./]/g, (sign) => `-${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("/", "_");
const WAYS: Record<string, (token: string) => string> = {
  "by itself": (token) => `my code is ${token}.`,
  "behind another page": (token) => `https://a.example.org/other/${token}?x=1`,
  "escaped twice": (token) => `https://safe.example/?url=http%253A%252F%252Fa%252Fo%252F${token}&data=1`,
  "over two quoted lines": (token) => `> see ${token.slice(0, 20)}\n> ${token.slice(20)}\n> Kind regards`,
  "with an element in it": (token) => `${token.slice(0, 9)}<wbr>${token.slice(9)}`,
  "as Proofpoint has it": (token) =>
    `https://urldefense.proofpoint.com/v2/url?u=${defended(`https://a.example.org/o/${token}`)}&d=DwM`,
  "in base64": (token) => Buffer.from(`The address of my own page is https://a/o/${token} there`).toString("base64"),
  "in quoted-printable": (token) => `x=3D${token.slice(0, 30)}=\r\n${token.slice(30)} more`,
};

test.each(Object.entries(WAYS))("lookThrough: a secret %s, when the text is read, is found", (_way, wrap) => {
  for (let count = 0; count < 50; count += 1) {
    const token = newToken();
    expect(tokensIn(`Hello\n\n${wrap(token)}\n`)).toContain(token);
  }
});

test("lookThrough: of words, lines and pictures, when there is no secret in them, is little", () => {
  const picture = Buffer.from(Array.from({ length: 60_000 }, (_none, at) => (at * at * 31) % 251)).toString("base64");
  const lines = (picture.match(/.{1,76}/g) ?? []).join("\n");
  const text = `${"_".repeat(80)}\n${"-".repeat(80)}\n${"an-ordinary-word-".repeat(9)}\n<img src="data:${picture}">\n${lines}`;
  expect(tokensIn(text)?.length ?? Infinity).toBeLessThan(50);
});

test("lookThrough: of more that look like one than are looked up, is null, and all of them are replaced", () => {
  const many = Array.from({ length: 2100 }, newToken).join(" ");
  expect(tokensIn(many)).toBeNull();
  expect(holdsToken(replaceTokens(many, "any", "X"), "any")).toBe(false);
});
