// Questions that few forms have: fetched apart, and before somebody comes to one.
import type { FormContent } from "@app/shared/form-content";
import type { FieldType } from "@app/shared/form-limits";

export const KINDS = {
  choices: () => import("./rare-inputs.tsx"),
  signature: () => import("./signature-input.tsx"),
  file: () => import("./file-input.tsx"),
  group: () => import("./repeat-group.tsx"),
};

const KIND_OF: Partial<Record<FieldType, keyof typeof KINDS>> = {
  picture_choice: "choices",
  matrix: "choices",
  ranking: "choices",
  signature: "signature",
  file: "file",
  repeat_group: "group",
};

/** Fetches those that this form asks, so that a line that breaks later keeps nobody from answering. */
export function fetchInputs({ pages }: Pick<FormContent, "pages">): void {
  const kinds = new Set(pages.flatMap(({ fields }) => fields.flatMap(({ type }) => KIND_OF[type] ?? [])));
  // What does not come now is asked for again when it is needed.
  for (const kind of kinds) KINDS[kind]().catch(() => undefined);
}
