// Pictures of the answers that people choose from.
import { z } from "zod";
import { fileNameSchema } from "./files.ts";
import type { FormContent } from "./form-content.ts";
import { idSchema } from "./ids.ts";

export const FORM_PICTURE_MAX_BYTES = 2 * 1024 * 1024;
export const FORM_PICTURE_ENDINGS = ["png", "jpg", "jpeg", "webp", "gif"] as const;
/** Of a practice. */
export const FORM_PICTURES_MAX = 2000;
/** One that no form shows, neither its draft nor a version, goes after so long. */
export const FORM_PICTURE_KEPT_DAYS = 30;

/** What is said of a picture that comes as the body. */
export const formPictureUploadSchema = z.strictObject({ id: idSchema, name: fileNameSchema });
export type FormPictureUpload = z.output<typeof formPictureUploadSchema>;
export const formPictureSchema = z.object({ id: idSchema });
export type FormPicture = z.infer<typeof formPictureSchema>;

/** All pictures that a form shows. */
export const pictureIdsIn = ({ pages }: FormContent): string[] =>
  pages
    .flatMap(({ fields }) => fields)
    .flatMap((field) => {
      if (field.type === "picture_choice") return field.options.map(({ pictureId }) => pictureId);
      return field.type === "statement" ? [field.pictureId] : [];
    })
    .filter((id) => id !== "");
