// What stands against a mail, and what is in order: shown while somebody writes, and asked again when they send.
import type { MailCheck } from "@app/shared/mail-check";
import { HIDDEN_ROLE } from "./compose-context.ts";
import { type Examined, mayGo, mayReceive } from "./compose-mail.ts";
import { notesOf } from "./compose-notes.ts";
import { problemsOf } from "./compose-problems.ts";

export function checkOf(mail: Examined): MailCheck {
  const { to, cc, files, isNeutral, subject, outside } = mail;
  return {
    problems: problemsOf(mail),
    notes: notesOf(mail),
    recipients: [...to, ...cc].map((one) => ({
      name: one.name,
      address: one.address,
      label: one.known?.label ?? "",
      role: one.known?.role ?? (mayReceive(mail, one) ? "not known here" : HIDDEN_ROLE),
      mayReceive: mayReceive(mail, one),
    })),
    files: files.map((file) => ({
      id: file.id,
      name: file.doc?.name ?? "A file that is gone",
      sizeBytes: file.doc?.sizeBytes ?? 0,
      visibility: file.doc?.visibility ?? null,
      mayGo: mayGo(mail, file),
    })),
    sees: seenBy(mail),
    outside: outside.filter((address) =>
      [...to, ...cc].some((one) => one.address === address && mayReceive(mail, one)),
    ),
    isNeutral,
    subject,
  };
}

const COUNT_WORDS = ["The message", "The message and the file", "The message and both files"];

function seenBy({ facts: { theCase, party }, files }: Examined): MailCheck["sees"] {
  const what = COUNT_WORDS[files.length] ?? `The message and all ${files.length} files`;
  return (theCase?.parties ?? []).map(({ partyId, label }) => ({
    label,
    text: partyId === party?.partyId ? what : "Nothing",
  }));
}
