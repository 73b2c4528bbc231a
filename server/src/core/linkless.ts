import { normalForm } from "@app/shared/normal-form";

/**
 * What somebody else entered, such as a name, as a mail of the product may hold it: mail programs make a link of
 * "evil.example", which nobody is to follow because we wrote it.
 */
export const linkless = (text: string): string =>
  normalForm(text, "NFKC")
    .replace(/[.\u3002](?=[^\s.])/gu, "$& ")
    .replaceAll("://", ": // ")
    .replaceAll("@", " at ");
