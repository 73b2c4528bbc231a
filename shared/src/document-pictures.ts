// Pictures in templates and documents: each is kept for one text, and for nobody who may not read that.
import { z } from "zod";
import { fileNameSchema } from "./files.ts";
import { idSchema } from "./ids.ts";

export const DOCUMENT_PICTURES_ADDRESS = "/document-pictures";
export const DOCUMENT_PICTURE_MAX_BYTES = 3 * 1024 * 1024;
/** What a browser of every kind shows, a PDF holds and Word opens; the page makes one of these of any other. */
export const DOCUMENT_PICTURE_ENDINGS = ["png", "jpg", "jpeg"] as const;
/** More than any printer shows on a page, and soon drawn. */
export const DOCUMENT_PICTURE_MAX_PIXELS = 12_000_000;
/** Of one text, with those that only its earlier versions show. */
export const DOCUMENT_PICTURES_MAX = 200;
/** Of all that one document shows: so much is printed at once. */
export const SHOWN_PICTURES_MAX_BYTES = 24 * 1024 * 1024;
/** One that its text and no version of it shows goes after so long. */
export const DOCUMENT_PICTURE_KEPT_DAYS = 30;

/** What is said of a picture that comes as the body: the same `id` once more is the same picture. */
export const documentPictureUploadSchema = z.strictObject({ id: idSchema, textId: idSchema, name: fileNameSchema });
export type DocumentPictureUpload = z.output<typeof documentPictureUploadSchema>;
export const documentPictureSchema = z.object({ id: idSchema });
export type DocumentPicture = z.infer<typeof documentPictureSchema>;

export const documentPictureAddress = (textId: string, pictureId: string): string =>
  `${DOCUMENT_PICTURES_ADDRESS}/${textId}/${pictureId}`;
