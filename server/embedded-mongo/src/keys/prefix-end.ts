export const NO_LIMIT = Buffer.from([0xff]);

/** The end of all keys that begin with these bytes. */
export function prefixEnd(bytes: Buffer): Buffer {
  let last = bytes.length - 1;
  while (last >= 0 && bytes[last] === 0xff) last -= 1;
  if (last < 0) return NO_LIMIT;
  const end = Buffer.from(bytes.subarray(0, last + 1));
  end.writeUInt8((end[last] ?? 0) + 1, last);
  return end;
}
