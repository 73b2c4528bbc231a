// Pictures of texts: judged as files are, shown to whoever may read the text, and kept as long as it or a version of it
// shows them.
import type { Readable } from "node:stream";
import mongoose from "mongoose";
import type { DocumentContent } from "@app/shared/document-content";
import {
  DOCUMENT_PICTURE_ENDINGS,
  DOCUMENT_PICTURE_MAX_BYTES,
  DOCUMENT_PICTURE_MAX_PIXELS,
  DOCUMENT_PICTURES_MAX,
  type DocumentPicture,
  type DocumentPictureUpload,
  SHOWN_PICTURES_MAX_BYTES,
} from "@app/shared/document-pictures";
import { pictureIdsIn } from "@app/shared/document-walk";
import { now } from "../../core/clock.ts";
import { badField, wrongState } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import type { Scope } from "../../core/trpc.ts";
import { storeContent } from "../files/apart-contents.service.ts";
import { contentOfFile } from "../files/file-content.service.ts";
import {
  type DocumentPictureDoc,
  documentPictureId,
  DocumentPictureModel,
  pictureRowId,
} from "./document-pictures.model.ts";
import type { DocumentDoc } from "./documents.model.ts";

/** Keeps one picture for a text that this person may change; the same sending once more is the same picture. */
export async function addDocumentPicture(
  scope: Scope,
  source: Readable,
  { id, textId, name }: DocumentPictureUpload,
): Promise<DocumentPicture> {
  const { ownerId } = scope;
  const pictureId = documentPictureId(ownerId, textId, id);
  const _id = pictureRowId(textId, pictureId);
  if (await DocumentPictureModel.exists({ ownerId, _id })) return { id: pictureId };
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  if (!DOCUMENT_PICTURE_ENDINGS.some((known) => known === ending))
    throw badField("name", "Choose a picture: PNG or JPEG.");
  if ((await DocumentPictureModel.countDocuments({ ownerId, textId })) >= DOCUMENT_PICTURES_MAX)
    throw wrongState(`This text and its versions have ${DOCUMENT_PICTURES_MAX} pictures, which is the most.`);
  return storeContent(source, {
    ownerId,
    asker: ofPerson(scope),
    name,
    limitBytes: DOCUMENT_PICTURE_MAX_BYTES,
    pixelsMax: DOCUMENT_PICTURE_MAX_PIXELS,
    same: () => ({ id: pictureId }),
    async make(content) {
      await DocumentPictureModel.create([{ _id, ownerId, textId, pictureId, ...content, createdAt: now() }]);
      return { id: pictureId };
    },
  });
}

/** A text as it is stored, with the pictures that keep as long as it does. */
export const stored = (content: DocumentContent): Pick<DocumentDoc, "content" | "pictureIds"> => ({
  content,
  pictureIds: pictureIdsIn(content),
});

/** Null where this text has no such picture. */
export const findDocumentPicture = (
  { ownerId }: Pick<Scope, "ownerId">,
  { textId, pictureId }: { textId: string; pictureId: string },
): Promise<DocumentPictureDoc | null> =>
  DocumentPictureModel.findOne({ ownerId, _id: pictureRowId(textId, pictureId) }).lean();

const shownIn = (ownerId: string, textId: string, content: DocumentContent) =>
  DocumentPictureModel.find({ ownerId, textId, pictureId: mongoose.trusted({ $in: pictureIdsIn(content) }) }).lean();

/** Before a text is stored: what another text shows stays there, whoever knows what it is called. */
export async function assertOwnPictures(ownerId: string, textId: string, content: DocumentContent): Promise<void> {
  const ids = pictureIdsIn(content);
  if (ids.length === 0) return;
  const own = await shownIn(ownerId, textId, content);
  if (own.length < ids.length)
    throw badField("content", "A picture here belongs to another text. Take it out, and add it here anew.");
}

/** In the transaction in which a text is made of another: it shows the same pictures, and has them for itself. */
export async function copyPictures(
  ownerId: string,
  content: DocumentContent,
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (pictureIdsIn(content).length === 0) return;
  const found = await shownIn(ownerId, from, content);
  const createdAt = now();
  const copies = found.map((one) => ({ ...one, _id: pictureRowId(to, one.pictureId), textId: to, createdAt }));
  if (copies.length > 0) await DocumentPictureModel.create(copies, { ordered: true });
}

/** What the text shows, by what it names it; one that is gone is left out. Throws where it is too much to print. */
export async function picturesOf(
  ownerId: string,
  textId: string,
  content: DocumentContent,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  if (pictureIdsIn(content).length === 0) return new Map();
  const found = await shownIn(ownerId, textId, content);
  if (found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > SHOWN_PICTURES_MAX_BYTES)
    throw wrongState("The pictures take more than 24 MB together. Make some of them smaller, or take some out.");
  const pictures = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const picture of found) pictures.set(picture.pictureId, Uint8Array.from(await contentOfFile(picture)));
  return pictures;
}
