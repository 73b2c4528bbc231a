// A Word document becomes the text of the editor. Nothing of it is stored but its pictures, which belong to the text then.
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import type { DocumentContent } from "@app/shared/document-content";
import { mapImages } from "@app/shared/document-walk";
import { WORD_MAX_BYTES, type WordImport, type WordUpload } from "@app/shared/word-imports";
import { badField, isFieldError } from "../../../core/errors.ts";
import { ofPerson } from "../../../core/fair-turns.ts";
import { defineForeign } from "../../../core/foreign.ts";
import type { Scope } from "../../../core/trpc.ts";
import { spool, TooLargeError } from "../../files/blobs.service.ts";
import { tooLargeFile } from "../../files/files.service.ts";
import { addDocumentPicture } from "../document-pictures.ts";
import { assertOpenText, findTemplateOf } from "../text-access.ts";
import { readWordSchema, type ReadPicture } from "./word-read.ts";
import type { work } from "./word-import.foreign.ts";

const LIMIT_MS = 12_000;
const REFUSED_PICTURES = "Pictures that are damaged or too large";

const readWord = defineForeign<typeof work>({
  file: new URL("./word-import.foreign.ts", import.meta.url),
  output: readWordSchema,
  limitMs: LIMIT_MS,
  lane: "long",
  refuse: (why) =>
    badField(
      "name",
      why === "too-much"
        ? "This document holds more than one text can. Divide it, and take over one part after the other."
        : "This document cannot be read. Open it in Word, save it as .docx again and send that.",
    ),
});

/** What a Word document says, for a text that this person may change; throws BAD_REQUEST for anything else. */
export async function importWord(scope: Scope, source: Readable, upload: WordUpload): Promise<WordImport> {
  const { id, textId, name } = upload;
  await assertOpenText(scope, textId);
  if (!/\.docx$/i.test(name)) throw badField("name", "Choose a Word document that ends in .docx.");
  const isTemplate = (await findTemplateOf(scope, textId)) !== null;
  // Nothing of it is kept: whatever is no archive of a document is refused where it is read.
  const { file } = await spool(source, WORD_MAX_BYTES).catch((error: unknown) => {
    throw error instanceof TooLargeError ? tooLargeFile(WORD_MAX_BYTES) : error;
  });
  try {
    const { content, pictures, left } = await readWord(ofPerson(scope), { file, isTemplate });
    const kept = await keptPictures(scope, pictures, { id, textId });
    const isWhole = kept.size === pictures.length;
    return { content: withPictures(content, kept), left: isWhole ? left : [...new Set([...left, REFUSED_PICTURES])] };
  } finally {
    await rm(file, { force: true });
  }
}

/** By what the text names them; one that is refused is left out. */
async function keptPictures(
  scope: Scope,
  pictures: readonly ReadPicture[],
  { id, textId }: Pick<WordUpload, "id" | "textId">,
): Promise<Map<string, string>> {
  const kept = new Map<string, string>();
  for (const picture of pictures) {
    const upload = { id: `${id.slice(0, 50)}-${picture.id}`, textId, name: `picture.${picture.ending}` };
    try {
      kept.set(picture.id, (await addDocumentPicture(scope, Readable.from([picture.bytes]), upload)).id);
    } catch (error) {
      if (!isFieldError(error)) throw error;
    }
  }
  return kept;
}

const withPictures = (content: DocumentContent, kept: ReadonlyMap<string, string>): DocumentContent =>
  mapImages(content, (image) => {
    const pictureId = kept.get(image.attrs.pictureId);
    return pictureId === undefined ? null : { ...image, attrs: { ...image.attrs, pictureId } };
  });
