// What stands at the head of each page that the practice writes.
import type { Readable } from "node:stream";
import {
  type Letterhead,
  LOGO_ENDINGS,
  LOGO_MAX_BYTES,
  LOGO_MAX_PIXELS,
  type LogoUpload,
} from "@app/shared/letterheads";
import { now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { inTransaction } from "../../core/database.ts";
import { badField } from "../../core/errors.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import type { Scope } from "../../core/trpc.ts";
import { letContentGo, storeContent } from "../files/apart-contents.service.ts";
import { contentOfFile } from "../files/file-content.service.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { type LetterheadDoc, LetterheadModel } from "./letterheads.model.ts";

/** What the logo is called among the pictures of a page. */
export const LOGO = "logo";

export async function getLetterhead({ ownerId }: Scope): Promise<Letterhead> {
  const [name, doc] = await Promise.all([practiceNameOf(ownerId), findLogo({ ownerId })]);
  return { name, logoId: doc?.logoId ?? null };
}

export const findLogo = ({ ownerId }: Pick<Scope, "ownerId">): Promise<LetterheadDoc | null> =>
  LetterheadModel.findOne({ ownerId, _id: ownerId }).lean();

/** For what is printed: the name of the practice, and its logo as it is stored. */
export async function letterheadOf(ownerId: string): Promise<{ name: string; logo: Uint8Array<ArrayBuffer> | null }> {
  const [name, doc] = await Promise.all([practiceNameOf(ownerId), findLogo({ ownerId })]);
  return { name, logo: doc && Uint8Array.from(await contentOfFile(doc)) };
}

/** Puts this logo in the place of any other; the same sending once more is the same logo. */
export async function setLogo(scope: Scope, source: Readable, { id, name }: LogoUpload): Promise<Letterhead> {
  const { ownerId } = scope;
  const logoId = hashToken(`${ownerId} ${id}`);
  if ((await findLogo(scope))?.logoId === logoId) return getLetterhead(scope);
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  if (!LOGO_ENDINGS.some((known) => known === ending)) throw badField("name", "Choose a picture: PNG or JPEG.");
  await storeContent(source, {
    ownerId,
    asker: ofPerson(scope),
    name,
    limitBytes: LOGO_MAX_BYTES,
    pixelsMax: LOGO_MAX_PIXELS,
    async make(content) {
      const before = await LetterheadModel.findOneAndUpdate(
        { ownerId, _id: ownerId },
        { $set: { ...content, logoId, createdAt: now() } },
        { upsert: true, returnDocument: "before", lean: true },
      );
      if (before) await letContentGo(ownerId, before);
    },
  });
  return getLetterhead(scope);
}

export async function removeLogo(scope: Scope): Promise<Letterhead> {
  const { ownerId } = scope;
  await inTransaction(async () => {
    const before = await LetterheadModel.findOneAndDelete({ ownerId, _id: ownerId }).lean();
    if (before) await letContentGo(ownerId, before);
  });
  return getLetterhead(scope);
}
