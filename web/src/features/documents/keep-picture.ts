import { DOCUMENT_PICTURES_ADDRESS, documentPictureSchema } from "@app/shared/document-pictures";
import { makeId } from "../../core/new-id.ts";
import { redrawn } from "../../core/redraw-picture.ts";
import { sendFile } from "../../core/send-file.ts";

/** Sharp over the whole width of a printed page. */
const SIDE_MAX = 1600;
const CLEAR_MAX_BYTES = 1_500_000;

/** Sends a picture to this text; says what the text names it by. */
export async function keepPicture(textId: string, file: File): Promise<string> {
  const small = await redrawn(file, { sideMax: SIDE_MAX, clearMaxBytes: CLEAR_MAX_BYTES });
  const upload = encodeURIComponent(JSON.stringify({ id: makeId(), textId, name: small.name }));
  const sending = sendFile(small, `${DOCUMENT_PICTURES_ADDRESS}?upload=${upload}`, () => undefined);
  return documentPictureSchema.parse(JSON.parse(await sending.done)).id;
}
