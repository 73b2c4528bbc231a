// What happened to a document that is signed, line by line: each holds the hash of the one before, so that none can be
// changed, left out or put in between afterwards without a trace.
import { createHash } from "node:crypto";

export interface TrailLine {
  at: Date;
  text: string;
  /** Of the network and the program of whoever signed; empty for what the practice did. */
  from: string;
  previous: string;
  hash: string;
}

type NewLine = Pick<TrailLine, "at" | "text" | "from">;

const hashOf = ({ at, text, from, previous }: Omit<TrailLine, "hash">): string =>
  createHash("sha256")
    .update(JSON.stringify([previous, at.toISOString(), text, from]))
    .digest("hex");

/** The first line holds the hash of the document instead of a line before it. */
export function withLine(trail: readonly TrailLine[], documentHash: string, line: NewLine): TrailLine {
  const chained = { ...line, previous: trail.at(-1)?.hash ?? documentHash };
  return { ...chained, hash: hashOf(chained) };
}

export const isWhole = (trail: readonly TrailLine[], documentHash: string): boolean =>
  trail.every(
    (line, index) => line.previous === (trail[index - 1]?.hash ?? documentHash) && line.hash === hashOf(line),
  );
