// What a mailing may say of its recipient: who they are, and nothing of any case.
import { type MergeField, piecesOf } from "./merge-fields.ts";

export const MAILING_FIELDS = [
  "client.firstName",
  "client.fullName",
  "practice.name",
  "sender.name",
  "today",
] as const satisfies readonly MergeField[];
export type MailingField = (typeof MAILING_FIELDS)[number];
export type MailingValues = Record<MailingField, string>;

const isField = (path: string): path is MailingField => MAILING_FIELDS.some((field) => field === path);

/** A text cut where its fields begin and end: words, and the fields between them. */
export type MailingText = ({ words: string } | { field: MailingField })[];

/** Cuts a text once for all recipients; `unknown` are the names in it that no mailing has. */
export function mailingTextOf(text: string): { pieces: MailingText; unknown: string[] } {
  const found = piecesOf(text);
  return {
    pieces: found.map((piece) =>
      piece.path !== null && isField(piece.path) ? { field: piece.path } : { words: piece.text },
    ),
    unknown: found.flatMap(({ path }) => (path !== null && !isField(path) ? path : [])),
  };
}

export const withValues = (text: MailingText, values: MailingValues): string =>
  text.map((piece) => ("words" in piece ? piece.words : values[piece.field])).join("");

export const fieldsOf = (text: MailingText): MailingField[] =>
  text.flatMap((piece) => ("field" in piece ? piece.field : []));
