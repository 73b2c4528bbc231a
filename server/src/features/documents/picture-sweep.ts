// Pictures that no text shows any more go, once nobody would bring them back.
import mongoose from "mongoose";
import { DOCUMENT_PICTURE_KEPT_DAYS } from "@app/shared/document-pictures";
import { DAY_MS } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { atTimes, defineRemoval } from "../../core/removals.ts";
import type { DueTimes } from "../../core/sure-clock.ts";
import { letContentGo } from "../files/apart-contents.service.ts";
import { type DocumentPictureDoc, DocumentPictureModel } from "./document-pictures.model.ts";
import { DocumentModel } from "./documents.model.ts";
import { TemplateModel } from "./templates.model.ts";
import { TextVersionModel } from "./text-versions.model.ts";

const BATCH = 200;

defineRemoval({
  of: "pictures that no document shows",
  keptMs: DOCUMENT_PICTURE_KEPT_DAYS * DAY_MS,
  remove: removeUnusedPictures,
});

async function removeUnusedPictures(times: DueTimes): Promise<number> {
  if (times.length === 0) return 0;
  let count = 0;
  let after = "";
  for (;;) {
    const due = { ...atTimes("createdAt", times), _id: mongoose.trusted({ $gt: after }) };
    const docs = await DocumentPictureModel.find(due)
      .setOptions({ anyOwner: true })
      .sort({ _id: 1 })
      .limit(BATCH)
      .lean();
    for (const doc of docs) count += await removeUnshown(doc);
    after = docs.at(-1)?._id ?? "";
    if (docs.length < BATCH) return count;
  }
}

const removeUnshown = ({ ownerId, _id, textId, pictureId, ...content }: DocumentPictureDoc): Promise<number> =>
  inTransaction(async () => {
    const shows = { ownerId, pictureIds: pictureId };
    const isShown =
      (await DocumentModel.exists({ ...shows, _id: textId })) ??
      (await TemplateModel.exists({ ...shows, _id: textId })) ??
      (await TextVersionModel.exists({ ...shows, textId }));
    if (isShown) return 0;
    const { deletedCount } = await DocumentPictureModel.deleteOne({ ownerId, _id });
    if (deletedCount > 0) await letContentGo(ownerId, content);
    return deletedCount;
  });
