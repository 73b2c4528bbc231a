// Finding notes by what stands anywhere in them: each text is read, so the search is bounded by how much text that is.
import mongoose, { type QueryFilter } from "mongoose";
import { foldText } from "@app/shared/text";
import { literally } from "../../core/word-search.ts";
import { IN_ORDER, type NoteDoc, NoteModel } from "./notes.model.ts";

type Filter = QueryFilter<NoteDoc>;
type Sized = Pick<NoteDoc, "_id" | "searchBytes">;

const MIB = 1024 ** 2;
const WORDS_MAX = 6;
const SEARCHED_MAX = 1000;
const SEARCHED_MAX_BYTES = 20 * MIB;
/** The database reads so much in one go; whoever else asks it for something is heard in between. */
const PIECE_BYTES = MIB;

/** Every typed word must stand somewhere in the text. */
export const matchingSearch = (search: string): Filter[] =>
  foldText(search)
    .split(" ")
    .filter(Boolean)
    .slice(0, WORDS_MAX)
    .map((word) => ({ searchText: mongoose.trusted({ $regex: literally(word) }) }));

interface Matches {
  /** In the order of the list. */
  ids: string[];
  /** Whether all notes of the place were read, and not the first ones alone. */
  isComplete: boolean;
}

/** The notes of a place in which these words stand, of as many as may be read. */
export async function searchNotes(place: Filter & { ownerId: string }, words: Filter[]): Promise<Matches> {
  const notes = await NoteModel.find(place, { searchBytes: 1 })
    .sort(IN_ORDER)
    .limit(SEARCHED_MAX + 1)
    .lean();
  const { pieces, isComplete } = piecesOf(notes);
  const ids: string[] = [];
  for (const piece of pieces) {
    const of = { ownerId: place.ownerId, _id: mongoose.trusted({ $in: piece }) };
    const found = new Set(await NoteModel.distinct("_id", { ...of, $and: words }));
    ids.push(...piece.filter((id) => found.has(id)));
  }
  return { ids, isComplete };
}

/** The first notes, in pieces of so little text each; a note of more is one by itself. */
function piecesOf(notes: readonly Sized[]): { pieces: string[][]; isComplete: boolean } {
  const pieces: string[][] = [];
  let bytes = 0;
  let bytesOfPiece = Infinity;
  for (const [index, { _id, searchBytes }] of notes.entries()) {
    bytes += searchBytes;
    if (index === SEARCHED_MAX || bytes > SEARCHED_MAX_BYTES) return { pieces, isComplete: false };
    bytesOfPiece += searchBytes;
    if (bytesOfPiece > PIECE_BYTES) {
      pieces.push([]);
      bytesOfPiece = searchBytes;
    }
    pieces.at(-1)?.push(_id);
  }
  return { pieces, isComplete: true };
}
