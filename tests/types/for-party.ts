// A leak does not compile. Each line below that is expected to be an error would let something out unguarded; nothing
// here is ever run, and `tsc -b tests` fails where one of them compiles.
import type { Scope } from "@app/server/core/trpc";
import { queueMail } from "@app/server/features/outbox/outbox.service";
import {
  type ForParty,
  joinFor,
  openFor,
  outputForParty,
  type Recipient,
  sealFor,
} from "@app/server/features/visibility/for-party.service";
import type { GuardedItem } from "@app/server/features/visibility/visibility.service";
import type { MeetingDoc } from "@app/server/features/meetings/meetings.model";
import { meetingFor } from "@app/server/features/meetings/meetings.visibility";
import { z } from "zod";

const letter = { toName: "A", to: "a@example.org", subject: "A letter", text: "Hello", attachments: [] };
const answer = outputForParty(z.string());

export async function mailWithoutGuard(scope: Scope): Promise<void> {
  // @ts-expect-error its content was made for nobody
  await queueMail(scope, { purpose: "letter", content: letter });
}

export const forged = (): ForParty<string>[] => [
  // @ts-expect-error an object that looks like nothing
  {},
  // @ts-expect-error a symbol of the same name
  { [Symbol("made for one party")]: { madeFor: { caseId: null, partyId: null, clientId: null }, content: "" } },
  // @ts-expect-error the content itself
  "",
];

// @ts-expect-error what was opened is no longer guarded
export const copied = (to: Recipient): ForParty<typeof letter> => ({ ...openFor(sealFor(to, letter, []), {}) });

// @ts-expect-error a list of the preview whose filter was taken out
export const listWithoutGuard = (to: Recipient, items: GuardedItem[]) => joinFor(to, [items]);

// @ts-expect-error what is not opened cannot be read
export const unopened = (to: Recipient): string => sealFor(to, letter, []).text;

// @ts-expect-error a part that does not say who may read it
export const partOfNobody = (to: Recipient) => sealFor(to, letter, [{ text: "from a caucus" }]);

// @ts-expect-error the meeting itself, in place of what a party may know of it
export const meetingWithoutGuard = (doc: MeetingDoc): ReturnType<typeof meetingFor> => doc;

// @ts-expect-error an answer of a procedure that nobody guarded
export const answerWithoutGuard: z.input<typeof answer> = "what a party said";
