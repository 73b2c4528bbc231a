// Pictures that no text shows any more go, once nobody would bring them back.
import { DOCUMENT_PICTURE_KEPT_DAYS } from "@app/shared/document-pictures";
import { DAY_MS } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineRemoval, removeEach } from "../../core/removals.ts";
import { letContentGo } from "../files/apart-contents.service.ts";
import { type DocumentPictureDoc, DocumentPictureModel } from "./document-pictures.model.ts";
import { DocumentModel } from "./documents.model.ts";
import { TemplateModel } from "./templates.model.ts";
import { TextVersionModel } from "./text-versions.model.ts";

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

defineRemoval({
  of: "pictures that no document shows",
  keptMs: DOCUMENT_PICTURE_KEPT_DAYS * DAY_MS,
  remove: removeEach(DocumentPictureModel, "createdAt", removeUnshown),
});
