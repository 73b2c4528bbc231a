// Internal names of the parts of a form: each is one part's alone, and stays for as long as the part is there.
import type { FormContent } from "@app/shared/form-content";

export const idsIn = ({ pages }: Pick<FormContent, "pages">): Set<string> =>
  new Set(
    pages.flatMap((page) => [
      page.id,
      ...page.fields.flatMap((field) => [
        field.id,
        ...(field.type === "repeat_group" ? field.fields.map(({ id }) => id) : []),
      ]),
    ]),
  );

/** The first of `stem_1`, `stem_2` and so on that nothing has. */
export function freeId(taken: ReadonlySet<string>, stem: string): string {
  let number = 1;
  while (taken.has(`${stem}_${number}`)) number += 1;
  return `${stem}_${number}`;
}
