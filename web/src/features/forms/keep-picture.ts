import { FORM_PICTURES_ADDRESS } from "@app/shared/form-limits";
import { type FormPicture, formPictureSchema } from "@app/shared/form-pictures";
import { makeId } from "../../core/new-id.ts";
import { redrawn } from "../../core/redraw-picture.ts";
import { sendFile } from "../../core/send-file.ts";

/** As large as people on a phone need it. */
const SIDE_MAX = 800;

export async function keepPicture(file: File): Promise<FormPicture> {
  const small = await redrawn(file, { sideMax: SIDE_MAX });
  const upload = encodeURIComponent(JSON.stringify({ id: makeId(), name: small.name }));
  const answer: unknown = JSON.parse(
    await sendFile(small, `${FORM_PICTURES_ADDRESS}?upload=${upload}`, () => undefined).done,
  );
  return formPictureSchema.parse(answer);
}
