import { MERGE_FIELDS, isMergeField, type MergeField } from "@app/shared/merge-fields";
import { HIDDEN_ROLE } from "./compose-context.ts";
import { readersText } from "./compose-words.ts";
import { waysToReach } from "@app/shared/safe-channels";
import type { MailProblem } from "@app/shared/mail-check";
import type { VisibilityScope } from "@app/shared/visibility";
import { type Examined, isBlank, isClient, isTooLarge, isWithheld, mayGo, mayReceive } from "./compose-mail.ts";

const problem = (
  code: MailProblem["code"],
  title: string,
  detail: string,
  remedy: { address?: string; fileId?: string } = {},
): MailProblem => ({ code, title, detail, address: remedy.address ?? null, fileId: remedy.fileId ?? null });

/** Everything that keeps this mail from leaving, the worst first. */
export const problemsOf = (mail: Examined): MailProblem[] => [
  ...wrongRecipients(mail),
  ...outsiders(mail),
  ...unconfirmed(mail),
  ...unsafeChannel(mail),
  ...notToBeReached(mail),
  ...wrongFiles(mail),
  ...wrongQuotes(mail),
  ...unfinished(mail),
];

function wrongRecipients(mail: Examined): MailProblem[] {
  const { facts, firstName, to, cc } = mail;
  const label = facts.party ? ` (${facts.party.label})` : "";
  return [...to, ...cc]
    .filter((one) => !mayReceive(mail, one))
    .map((one) => {
      if (!one.known?.isOtherParty || one.known.role === HIDDEN_ROLE) return notForThem(mail, one);
      const who =
        one.known?.role === "other participant"
          ? "the other participant"
          : `${one.known?.role ?? ""}, on the other side`;
      const own = isClient(mail, one) ? ` ${firstName} and the other participant share this address.` : "";
      return problem(
        "other_party",
        `${one.name} cannot receive this message.`,
        `It is addressed to ${firstName}${label}, and ${one.address} belongs to ${who}.${own} Remove ${one.name.split(" ")[0]}, or write separately.`,
        { address: one.address },
      );
    });
}

/** Says nothing of who they are: whoever writes does not see the case that they are in. */
const notForThem = ({ firstName }: Examined, { address }: { address: string }): MailProblem =>
  problem(
    "other_party",
    `${address} cannot receive this message.`,
    `It is about ${firstName}, and this address may not get that. Remove it, or ask the owner of the practice.`,
    { address },
  );

function outsiders({ blocked }: Examined): MailProblem[] {
  return blocked
    .filter(({ code }) => code === "outsider")
    .map(({ address }) =>
      problem(
        "outsider",
        `${address} cannot receive a file of this case.`,
        "Files of a case go to its parties and to those who represent them. Take the address or the file out, or record on the case that every participant consented, a court ordered or a law requires that this file goes there.",
        { address },
      ),
    );
}

function unconfirmed({ blocked }: Examined): MailProblem[] {
  const addresses = blocked.flatMap(({ code, address }) => (code === "words" ? [address] : []));
  if (addresses.length === 0) return [];
  return [
    problem(
      "words",
      "Confirm that the message says nothing of the mediation.",
      `Nothing that was said in mediation may be told to ${addresses.join(", ")} without every participant’s consent or an order.`,
    ),
  ];
}

function unsafeChannel(mail: Examined): MailProblem[] {
  const { firstName, blocked, facts } = mail;
  return blocked.flatMap((found) => {
    const { code, address, person } = found;
    // Of whom it may not tell, it says among the wrong recipients that they get none.
    if (code !== "not_by_mail" || !person?.safeContact || isWithheld(mail, found)) return [];
    const isTheirs = person.id === facts.client.id;
    return problem(
      "not_by_mail",
      `${isTheirs ? firstName : person.name} may not be emailed.`,
      `Email is no safe way to reach ${isTheirs ? firstName : "this person"}. Take the address out. ${waysToReach(person.safeContact)}`,
      { address },
    );
  });
}

/** Those who are not to be contacted, by this way or any other, and what is to be done first. */
function notToBeReached(mail: Examined): MailProblem[] {
  return mail.blocked.flatMap((found) => {
    const { code, address, person } = found;
    // Whoever is on the other side is to be taken out already.
    const isOpposed = mail.blocked.some((other) => other.code === "other_party" && other.address === address);
    if (isOpposed || !person || isWithheld(mail, found)) return [];
    const who = person.id === mail.facts.client.id ? mail.firstName : person.name;
    if (code === "unasked")
      return problem(
        code,
        `${who} is not to be contacted.`,
        "Whoever came first has not agreed to it, or it has to wait for their safety or for the conflict check. Look at the case. What is about another case of theirs, write from there.",
        { address },
      );
    if (code === "archived")
      return problem(code, `${who} is archived.`, "Restore this client first, then write.", { address });
    if (code === "died")
      return problem(code, `${who} has died.`, "A case says so. Write to whoever acts for them.", { address });
    if (code === "perhaps_died")
      return problem(
        code,
        `A case of ${who} ended because somebody died.`,
        "Make sure whom it reaches, and choose the case that it is about.",
        { address },
      );
    return [];
  });
}

const notAmong = (scope: VisibilityScope, firstName: string): string =>
  scope === "shared"
    ? `It was shared before ${firstName} joined the case, or after they left.`
    : `${firstName} is not among them.`;

function wrongFiles(mail: Examined): MailProblem[] {
  const { facts, files, firstName, draft } = mail;
  const found = files
    .filter((file) => !mayGo(mail, file))
    .map(({ id, doc }) => {
      const name = doc?.name ?? "A file";
      if (!doc || doc.deletedAt)
        return problem("file", `${name} is gone.`, "It was deleted, or you may not read it. Take it out.", {
          fileId: id,
        });
      const isFromHere = doc.caseId ? doc.caseId === draft.caseId : doc.clientId === draft.clientId;
      const why = isFromHere
        ? `${readersText(doc.visibility, facts.theCase?.parties ?? [])} ${notAmong(doc.visibility.scope, firstName)}`
        : "It belongs to another case or client.";
      return problem("file", `${name} cannot go with this message.`, `${why} Take it out.`, { fileId: id });
    });
  if (isTooLarge(mail))
    found.push(
      problem(
        "files_too_large",
        "The files are too large.",
        "Together they may hold 20 MB. Take one out, or send two.",
      ),
    );
  return found;
}

function wrongQuotes({ blocked, areAnswersKnown, firstName }: Examined): MailProblem[] {
  if (blocked.some(({ code }) => code === "quote"))
    return [
      problem(
        "other_party",
        "This answers a message that somebody else wrote or got.",
        `${firstName} may not see it. Close this message and write a new one.`,
      ),
    ];
  if (areAnswersKnown) return [];
  return [
    problem(
      "quote",
      "Nobody can tell now whose message this answers.",
      "The mailbox does not answer. Try again in a moment, or close this message and write a new one.",
    ),
  ];
}

const REFERENCE: MergeField = "case.reference";
const NAMES_ANOTHER =
  "The reference of this case may name somebody of whom they are not to hear yet: until then only a number is told.";

function unfinished(mail: Examined): MailProblem[] {
  const { draft, facts, missing, meeting, to } = mail;
  const found: MailProblem[] = [];
  if (to.length === 0) found.push(problem("nobody", "Nobody gets it yet.", "Choose at least one address under To."));
  if (draft.subject === "") found.push(problem("subject", "The subject is empty.", "Write a few words."));
  if (isBlank(mail)) found.push(problem("text", "The message is empty.", "Write a text, or choose a template."));
  if (draft.meetingId && !meeting)
    found.push(problem("meeting", "The appointment is over or cancelled.", "Take its calendar entry out."));
  if (missing.length > 0) {
    const names = missing.map((path) => (isMergeField(path) ? MERGE_FIELDS[path] : `“${path}”`)).join(", ");
    const whyNot = facts.theCase && missing.includes(REFERENCE) ? ` ${NAMES_ANOTHER}` : "";
    const detail = `Write it yourself, or take it out of the text: ${names}.${whyNot}`;
    found.push(problem("missing_field", "A field has no value.", detail));
  }
  return found;
}
