import { WORD_IMPORTS_ADDRESS, type WordImport, wordImportSchema } from "@app/shared/word-imports";
import { makeId } from "../../core/new-id.ts";
import { sendFile } from "../../core/send-file.ts";

/** What this Word document says, as a text; nothing is stored but its pictures. */
export async function sendWord(textId: string, file: File): Promise<WordImport> {
  const upload = encodeURIComponent(JSON.stringify({ id: makeId(), textId, name: file.name }));
  const sending = sendFile(file, `${WORD_IMPORTS_ADDRESS}?upload=${upload}`, () => undefined);
  return wordImportSchema.parse(JSON.parse(await sending.done));
}
