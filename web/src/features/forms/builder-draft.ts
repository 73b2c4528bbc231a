// What of a form is edited, and by what two versions of it are compared.
import type { FormContent } from "@app/shared/form-content";
import { SENSITIVITY_NAMES } from "@app/shared/form-limits";
import { type Form, saveFormSchema } from "@app/shared/forms";
import type { Stored } from "../../ui/use-newer-version.ts";
import type { VersionField } from "../../ui/version-fields.ts";
import { partFields } from "./draft-parts.ts";

export interface Draft {
  name: string;
  content: FormContent;
}

export const draftOf = ({ name, content }: Form): Draft => ({ name, content });

export const storedOf = (form: Form): Stored<Draft> => ({
  values: draftOf(form),
  version: form.version,
  savedBy: { name: form.updatedByName, at: form.updatedAt },
});

const ofContent = (
  key: "title" | "currency" | "readers" | "receipt" | "thanks",
  label: string,
  text: VersionField<Draft>["text"],
): VersionField<Draft> => ({
  key,
  label,
  value: ({ content }) => content[key],
  take: (into, from) => ({ ...into, content: { ...into.content, [key]: from.content[key] } }),
  text,
});

const WHOLE_FIELDS: readonly VersionField<Draft>[] = [
  {
    key: "name",
    label: "Name",
    value: ({ name }) => name,
    take: (into, { name }) => ({ ...into, name }),
    text: ({ name }) => name,
  },
  ofContent("title", "Title", ({ content }) => content.title),
  ofContent("currency", "Currency", ({ content }) => content.currency),
  ofContent("readers", "Who reads answers", ({ content: { readers } }) => (readers ? SENSITIVITY_NAMES[readers] : "")),
  ofContent("receipt", "Answers to keep for whoever sent them", ({ content: { receipt } }) => receiptText(receipt)),
  ofContent("thanks", "Words once it was sent", ({ content: { thanks } }) => `${thanks.title} ${thanks.text}`),
];

/** What of these drafts of one form is compared by itself. */
export const draftFields = (drafts: readonly Draft[]): readonly VersionField<Draft>[] => [
  ...WHOLE_FIELDS,
  ...partFields(drafts),
];

function receiptText(receipt: boolean | undefined): string {
  if (receipt === undefined) return "";
  return receipt ? "Offered" : "Not offered";
}

/** Why the draft cannot be stored as it stands; null where it can. */
export function whyNotStored({ name, content }: Draft): string | null {
  const parsed = saveFormSchema.safeParse({ id: "form", version: 0, name, content });
  return parsed.error?.issues[0]?.message ?? null;
}
