import type { z } from "zod";
import type { sendableFilesSchema, sendableSchema } from "@app/shared/mail-check";
import type { Scope } from "../../core/trpc.ts";
import { sayableOf } from "./compose-context.ts";
import { attachedFiles } from "./compose-files.ts";
import { mayGo } from "./compose-mail.ts";

/** Judged by when the party was in the case, which whoever writes need not be told. */
export async function sendableFiles(
  scope: Scope,
  { fileIds, ...place }: z.output<typeof sendableFilesSchema>,
): Promise<z.infer<typeof sendableSchema>> {
  const facts = await sayableOf(scope, place);
  const files = await attachedFiles(scope, fileIds);
  return { fileIds: files.filter((file) => mayGo({ draft: place, facts }, file)).map(({ id }) => id) };
}
