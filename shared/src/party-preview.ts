import { z } from "zod";
import { idSchema } from "./ids.ts";
import { instantSchema } from "./time.ts";

export const previewSchema = z.strictObject({ caseId: idSchema, partyId: idSchema });

const PREVIEW_KINDS = [
  "meeting",
  "assessment",
  "note",
  "file",
  "message",
  "certificate",
  "invoice",
  "history",
] as const;
export const PREVIEW_KIND_NAMES = {
  meeting: "Meetings",
  assessment: "First meetings",
  note: "Notes and proposals",
  file: "Files",
  message: "Messages",
  certificate: "Certificates",
  invoice: "Invoices",
  history: "History",
} as const satisfies Record<(typeof PREVIEW_KINDS)[number], string>;

/** So many of each kind are shown, the newest. */
const SHOWN_MAX = 100;
/** One more than is shown, so that it is known whether there are more. */
export const ASKED_MAX = SHOWN_MAX + 1;

/** So long are those of each kind that are shown, in signs; one thing is shown however long it is. */
export const SHOWN_MAX_LENGTH = 500_000;

interface Shown {
  detail: string;
  /** Of what it is made of, where that is more than its words. */
  length?: number | undefined;
}

/** What is shown of these, the newest first, and words where that is not all. */
export function shownOf<Item extends Shown>(
  name: string,
  items: readonly Item[],
): { items: readonly Item[]; cut: string[] } {
  const count = shownCount(items.map(lengthOf));
  const cut = count < items.length ? [`${name}: there are more. The newest ${count} are shown.`] : [];
  return { items: items.slice(0, count), cut };
}

export const lengthOf = ({ detail, length }: Shown): number => length ?? detail.length;

/** How many of these are shown, given how long each is: at most `max`. */
export function shownCount(lengths: readonly number[], max = SHOWN_MAX): number {
  let total = 0;
  const tooMuch = lengths.findIndex((length, index) => {
    total += length;
    return index >= max || (index > 0 && total > SHOWN_MAX_LENGTH);
  });
  return tooMuch === -1 ? lengths.length : tooMuch;
}

/** One thing that this party may see, in the words in which they get it. */
export const previewItemSchema = z.object({
  kind: z.enum(PREVIEW_KINDS),
  id: z.string(),
  title: z.string(),
  detail: z.string(),
  at: instantSchema.nullable(),
});
export type PreviewItem = z.infer<typeof previewItemSchema>;

/** Everything of a case that one party may see; nothing else may ever leave for them. */
export const partyPreviewSchema = z.object({
  partyId: idSchema,
  label: z.string(),
  name: z.string(),
  /** How the case stands, in what may be told to everybody in it. */
  caseRef: z.string(),
  items: z.array(previewItemSchema),
  /** What this party sees too, but not whoever looks: they lack the permission to read it. */
  leftOut: z.array(z.enum(PREVIEW_KINDS)),
  /** What there is more of than is shown, in words. */
  cut: z.array(z.string()),
});
export type PartyPreview = z.infer<typeof partyPreviewSchema>;
