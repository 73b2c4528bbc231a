// Pictures that people choose from: judged as files are, and kept as long as a draft or a published version shows them.
import type { Readable } from "node:stream";
import mongoose from "mongoose";
import type { FormContent } from "@app/shared/form-content";
import {
  FORM_PICTURE_ENDINGS,
  FORM_PICTURE_KEPT_DAYS,
  FORM_PICTURE_MAX_BYTES,
  FORM_PICTURES_MAX,
  type FormPicture,
  type FormPictureUpload,
  pictureIdsIn,
} from "@app/shared/form-pictures";
import { DAY_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { badField, wrongState } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { defineRemoval, removeEach } from "../../core/removals.ts";
import type { Scope } from "../../core/trpc.ts";
import { letContentGo, storeContent } from "../files/apart-contents.service.ts";
import { formPictureId, type FormPictureDoc, FormPictureModel } from "./form-pictures.model.ts";
import { FormModel, FormVersionModel } from "./forms.model.ts";

/** Keeps one picture; the same sending once more is the same picture. */
export async function addFormPicture(
  scope: Scope,
  source: Readable,
  { id, name }: FormPictureUpload,
): Promise<FormPicture> {
  const { ownerId } = scope;
  const _id = formPictureId(ownerId, id);
  if (await FormPictureModel.exists({ ownerId, _id })) return { id: _id };
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  if (!FORM_PICTURE_ENDINGS.some((known) => known === ending))
    throw badField("name", "Choose a picture: PNG, JPEG, WebP or GIF.");
  if ((await FormPictureModel.countDocuments({ ownerId })) >= FORM_PICTURES_MAX)
    throw wrongState(`There are ${FORM_PICTURES_MAX} pictures, which is the most.`);
  return storeContent(source, {
    ownerId,
    asker: ofPerson(scope),
    name,
    limitBytes: FORM_PICTURE_MAX_BYTES,
    same: () => ({ id: _id }),
    async make(content) {
      await FormPictureModel.create([{ _id, ownerId, ...content, createdAt: now() }]);
      return { id: _id };
    },
  });
}

/** For whoever has its id; null where there is none. */
export const findFormPicture = (id: string): Promise<FormPictureDoc | null> =>
  FormPictureModel.findOne({ _id: id }).setOptions({ anyOwner: true }).lean();

/** Before a form is published: each picture that it shows is one of this practice's. */
export async function assertPicturesKept(ownerId: string, content: FormContent): Promise<void> {
  const ids = [...new Set(pictureIdsIn(content))];
  if (ids.length === 0) return;
  const count = await FormPictureModel.countDocuments({ ownerId, _id: mongoose.trusted({ $in: ids }) });
  if (count < ids.length)
    throw wrongState("A picture of this form is not there any more. Take it out and add it anew.");
}

async function isShown({ ownerId, _id }: FormPictureDoc): Promise<boolean> {
  const shows = {
    ownerId,
    $or: ["content.pages.fields.options.pictureId", "content.pages.fields.pictureId"].map((path) => ({ [path]: _id })),
  };
  return (await FormModel.exists(shows)) !== null || (await FormVersionModel.exists(shows)) !== null;
}

async function removeUnshown(picture: FormPictureDoc): Promise<number> {
  if (await isShown(picture)) return 0;
  const { ownerId, _id, ...content } = picture;
  return inTransaction(async () => {
    const { deletedCount } = await FormPictureModel.deleteOne({ ownerId, _id });
    if (deletedCount > 0) await letContentGo(ownerId, content);
    return deletedCount;
  });
}

defineRemoval({
  of: "pictures that no form shows",
  keptMs: FORM_PICTURE_KEPT_DAYS * DAY_MS,
  remove: removeEach(FormPictureModel, "createdAt", removeUnshown),
});
