// The secrets by which whoever has a link opens what is somebody's own. What a mail says is shown to others without them,
// in whatever they are wrapped there: they are known by their hashes, where each feature keeps them.
import mongoose from "mongoose";
import { hashToken } from "./crypto.ts";
import { forOthers } from "./personal-links.ts";
import type { Tokens } from "./token-runs.ts";

interface PublicToken {
  collection: string;
  /** Of the hash in the document, such as `sides.publicHash`; it needs an index. */
  path: string;
}

const kept: PublicToken[] = [];
const ASKED_AT_ONCE = 500;

/** Where hashes of such secrets are; called once, beside the code that keeps them. */
export const definePublicToken = (token: PublicToken): void => void kept.push(token);

export const publicTokens = (): readonly PublicToken[] => kept;

/** Which of what may be secrets of ours are, of whatever practice. */
export async function knownTokens(candidates: readonly string[] | null): Promise<Tokens> {
  if (candidates === null) return "any";
  const known: string[] = [];
  for (let start = 0; start < candidates.length; start += ASKED_AT_ONCE)
    known.push(...(await lookUp(candidates.slice(start, start + ASKED_AT_ONCE))));
  return known;
}

async function lookUp(candidates: readonly string[]): Promise<string[]> {
  const hashes = candidates.map(hashToken);
  const found = new Set<unknown>();
  for (const { collection, path } of kept) {
    const docs = mongoose.connection.collection(collection);
    for (const hash of await docs.distinct(path, { [path]: { $in: hashes } })) found.add(hash);
  }
  return candidates.filter((_token, at) => found.has(hashes[at]));
}

/** These texts of a mail, plain or as HTML, as others than its addressee read them. */
export async function shownToOthers(texts: readonly string[]): Promise<string[]> {
  const looked = texts.map((text) => forOthers(text, []));
  const known = await knownTokens(looked.flatMap(({ candidates }) => candidates ?? []));
  return looked.map(({ shown, candidates }, at) => {
    const tokens = candidates === null ? "any" : known;
    return tokens.length === 0 ? shown : forOthers(texts[at] ?? "", tokens).shown;
  });
}
