// Where sealed texts are kept, and their way from a key of before to the current one.
import mongoose from "mongoose";
import { currentMark, decrypt, encrypt } from "./crypto.ts";

/** What a place may be made of. */
interface SealedDoc {
  _id: string;
  ownerId: string;
}

export interface SealedField {
  collection: string;
  /** Of the text in the document, such as `totp.secret_enc`. */
  path: string;
  placeOf: (doc: SealedDoc) => string;
}

const fields: SealedField[] = [];

/** Every field that holds what `encrypt` gave; called once, beside the code that fills it. */
export const defineSealedField = (field: SealedField): void => {
  fields.push(field);
};

export const sealedFields = (): readonly SealedField[] => fields;

export interface Resealed {
  resealed: number;
  /** Could not be read with any key: left as they are. */
  unreadable: { collection: string; id: string; path: string }[];
}

/**
 * Seals with the current key whatever an earlier one sealed. It may end at any moment and be begun again, and works
 * beside a running server: a text that was changed meanwhile is left alone, since it carries the current key by then.
 */
export async function resealAll(onEach: () => void = () => undefined): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: [] };
  for (const field of fields) await resealField(field, total, onEach);
  return total;
}

async function resealField({ collection, path, placeOf }: SealedField, total: Resealed, onEach: () => void) {
  const docs = mongoose.connection.collection<SealedDoc & Record<string, unknown>>(collection);
  const isOld = { [path]: { $regex: `^v\\d\\.(?!${currentMark().slice("v2.".length).replace(".", "\\.")})` } };
  for await (const doc of docs.find(isOld, { projection: { ownerId: 1, [path]: 1 } })) {
    const sealed = textAt(doc, path);
    const fresh = resealed(sealed, placeOf(doc));
    if (fresh === null) {
      total.unreadable.push({ collection, id: doc._id, path });
      continue;
    }
    const { modifiedCount } = await docs.updateOne({ _id: doc._id, [path]: sealed }, { $set: { [path]: fresh } });
    total.resealed += modifiedCount;
    onEach();
  }
}

function resealed(sealed: string, place: string): string | null {
  try {
    return encrypt(decrypt(sealed, place), place);
  } catch {
    // One text that nobody can read must not keep all the others from the new key; it is reported.
    return null;
  }
}

function textAt(doc: object, path: string): string {
  let place: unknown = doc;
  for (const name of path.split(".")) place = typeof place === "object" && place ? Reflect.get(place, name) : undefined;
  return String(place);
}
