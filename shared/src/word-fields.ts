// Fields in a Word document, where there are none: what stands in braces, and is a field again when it comes back.
import type { MergeFieldNode } from "./document-content.ts";
import { isBlank, isDocumentField, REPEATS } from "./document-fields.ts";

/** "{{client.address: not known}}": what it is called, and what stands there where it has no value. */
const WRITTEN = /\{\{([\w.]{1,60})(?:: ([^{}]{1,200}))?\}\}/;

export const writtenField = ({ attrs: { path, fallback } }: MergeFieldNode): string => {
  const words = fallback.replace(/[{}]/g, "");
  return words ? `{{${path}: ${words}}}` : `{{${path}}}`;
};

const isOfEach = (path: string): boolean => Object.values(REPEATS).some(({ fields }) => Object.hasOwn(fields, path));
const isField = (path: string): boolean => isDocumentField(path) || isBlank(path) || isOfEach(path);

type Part = string | Pick<MergeFieldNode, "type" | "attrs">;

/** A text, cut where a field that there is stands in it. */
export function fieldsWithin(text: string): Part[] {
  const parts: Part[] = [];
  let words = "";
  for (let rest = text; rest;) {
    const found = WRITTEN.exec(rest);
    if (!found) {
      words += rest;
      break;
    }
    const [written, path = "", fallback = ""] = found;
    words += rest.slice(0, found.index);
    rest = rest.slice(found.index + written.length);
    if (!isField(path)) {
      words += written;
      continue;
    }
    if (words) parts.push(words);
    words = "";
    parts.push({ type: "mergeField", attrs: { path, fallback, said: null } });
  }
  if (words) parts.push(words);
  return parts;
}
