import { safeNow } from "@app/shared/clients";
import { cutText } from "@app/shared/cut-text";
import type { MailCheck } from "@app/shared/mail-check";
import { type Examined, isClient, mayGo, mayReceive } from "./compose-mail.ts";

type Note = MailCheck["notes"][number];

const note = (kind: Note["kind"], title: string, detail: string): Note => ({ kind, title, detail });

/** What is in order and what to know, in the order in which it is read. */
export function notesOf(mail: Examined): Note[] {
  return [...channelNotes(mail), ...strangerNotes(mail), ...fileNotes(mail), wayNote(mail)];
}

function channelNotes({ facts: { client }, firstName, isNeutral, subject }: Examined): Note[] {
  const { mayEmail, safeTimes, note: why } = safeNow(client);
  const found: Note[] = [];
  if (client.email === "")
    found.push(
      note("know", `${firstName} has no email address`, "Add one to their record, or reach them in another way"),
    );
  else if (mayEmail)
    found.push(
      note(
        "fine",
        `Email is a safe channel for ${firstName}`,
        safeTimes ? `Safe times: ${safeTimes}` : cutText(why, 120),
      ),
    );
  if (isNeutral)
    found.push(
      note(
        "neutral",
        "Subject and sender name are neutral",
        subject ? `It leaves as “${subject}”, from your name` : "The practice is not named",
      ),
    );
  return found;
}

function strangerNotes(mail: Examined): Note[] {
  const { to, cc, firstName } = mail;
  return [...to, ...cc]
    .filter((one) => !one.known && mayReceive(mail, one))
    .map(({ address }) =>
      note("know", `${address} is not known here`, `Whoever reads it sees what ${firstName} may read`),
    );
}

function fileNotes(mail: Examined): Note[] {
  const { files, firstName, to, cc } = mail;
  if (files.length === 0 || !files.every((file) => mayGo(mail, file))) return [];
  const others = [...to, ...cc].filter((one) => !isClient(mail, one));
  const detail = others.length > 0 ? `and by ${others.map(({ name, address }) => name || address).join(", ")}` : "";
  return [note("fine", `${files.length === 1 ? "The file" : "Files"} may be read by ${firstName}`, detail)];
}

function wayNote({ way, files, cc }: Examined): Note {
  const carries = [
    files.length > 1 && "It carries only the first file.",
    cc.length > 0 && "It may leave out the copies.",
  ]
    .filter(Boolean)
    .join(" ");
  if (way.mailbox)
    return note(
      "fine",
      way.mailbox.isOwn ? "Sent from your own mailbox" : "Sent from the mailbox of the practice",
      way.hasFallback
        ? `If it fails, the sending service is used. ${carries}`.trim()
        : "If it fails, you are told here",
    );
  if (way.hasFallback) return note("know", "Sent by the sending service", carries || "You have connected no mailbox");
  return note("know", "It waits until mail is set up", "Connect a mailbox under Email, and it leaves by itself");
}
