// A form for enquiries is shown within pages of the websites that its owner named; every other page of ours, and every
// address that leads to none, within none.
import { openFormSchema } from "@app/shared/submissions";
import { findPlace } from "./open-place.ts";

const LEAD_FORM = /^\/lead-form\/([\w-]+)\/([\w-]+)\/?$/;

export async function framersOf(path: string): Promise<readonly string[]> {
  const [, formId, userId] = LEAD_FORM.exec(path) ?? [];
  const at = openFormSchema.safeParse({ formId, userId });
  const form = at.success ? (await findPlace(at.data))?.form : undefined;
  return form?.kind === "lead" ? form.sharing.embedOrigins : [];
}
