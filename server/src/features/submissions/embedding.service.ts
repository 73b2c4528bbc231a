// A form for enquiries is shown within pages of the websites that its owner named; every other page of ours within none.
import { tokenSchema } from "@app/shared/ids";
import { embeddersOf } from "../forms/form-versions.service.ts";

const LEAD_FORM = /^\/lead-form\/([\w-]+)\/[\w-]+\/?$/;

export async function framersOf(path: string): Promise<readonly string[]> {
  const publicId = tokenSchema.safeParse(LEAD_FORM.exec(path)?.[1]);
  return publicId.success ? embeddersOf(publicId.data) : [];
}
