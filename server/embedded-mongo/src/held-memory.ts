// What all reads together keep in memory beside the cache, however many there are.

/** Counts what is held of one kind, for all who hold it. */
function createAllowance(mostBytes: number) {
  let held = 0;
  return {
    /** One holder's part of it; to be released in the end, whatever comes. */
    newPart() {
      let own = 0;
      return {
        /** False when there is no room for it. */
        hold(bytes: number): boolean {
          if (held + bytes > mostBytes) return false;
          held += bytes;
          own += bytes;
          return true;
        },
        release(): void {
          held -= own;
          own = 0;
        },
      };
    },
    held: (): number => held,
  };
}

const MEGABYTE = 1024 * 1024;
/** Documents that are being sorted; of those beyond it only their keys are kept, and they are read again. */
export const sortedDocuments = createAllowance(96 * MEGABYTE);
/** The keys by which they are sorted, at 256 bytes for each document. */
export const sortedKeys = createAllowance(128 * MEGABYTE);
/** What the stages of pipelines hold, by their own count, which is about a third of what it takes. */
export const pipelineValues = createAllowance(150 * MEGABYTE);
