// A picture on its way to the server: made as small as people on a phone need it, and without what a camera writes into
// it about place and time.
import { FORM_PICTURES_ADDRESS } from "@app/shared/form-limits";
import { type FormPicture, formPictureSchema } from "@app/shared/form-pictures";
import { makeId } from "../../core/new-id.ts";
import { sendFile } from "../../core/send-file.ts";

const SIDE_MAX = 800;
const QUALITY = 0.85;

export async function keepPicture(file: File): Promise<FormPicture> {
  const small = await shrunk(file);
  const upload = encodeURIComponent(JSON.stringify({ id: makeId(), name: small.name }));
  const answer: unknown = JSON.parse(
    await sendFile(small, `${FORM_PICTURES_ADDRESS}?upload=${upload}`, () => undefined).done,
  );
  return formPictureSchema.parse(answer);
}

async function shrunk(file: File): Promise<File> {
  const picture = await createImageBitmap(file).catch((error: unknown) => {
    throw new Error("This is no picture that can be shown. Choose a PNG, JPEG, WebP or GIF.", { cause: error });
  });
  const scale = Math.min(1, SIDE_MAX / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser cannot make the picture smaller. Try another browser.");
  // What can be seen through would be black.
  pen.fillStyle = "white";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  if (!blob) throw new Error("This picture could not be made smaller. Choose another one.");
  return new File([blob], "picture.jpg", { type: "image/jpeg" });
}
