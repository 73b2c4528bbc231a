// Whether a zip archive unpacks to a bearable size, found out by unpacking it: what an archive says of itself may be a lie.
import { createInflateRaw } from "node:zlib";
import { open, type FileHandle } from "node:fs/promises";

const END_SIGN = 0x06054b50;
const ENTRY_SIGN = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const COMMENT_MAX_BYTES = 65_535;
const ENTRIES_MAX = 2000;
const DEFLATED = 8;

export class NoZipError extends Error {}

interface Entry {
  method: number;
  packedBytes: number;
  offset: number;
}

/** Throws NoZipError for what is no archive; otherwise says whether all entries together stay within the limit. */
export async function unpacksWithin(file: string, limitBytes: number): Promise<boolean> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    let left = limitBytes;
    for (const entry of await entriesOf(handle, size)) {
      if (entry.offset + LOCAL_BYTES + entry.packedBytes > size) throw new NoZipError();
      left -= entry.method === DEFLATED ? await inflatedBytes(handle, entry, left) : entry.packedBytes;
      if (left < 0) return false;
    }
    return true;
  } finally {
    await handle.close();
  }
}

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new NoZipError();
  return buffer;
}

async function entriesOf(handle: FileHandle, size: number): Promise<Entry[]> {
  const tailBytes = Math.min(size, END_BYTES + COMMENT_MAX_BYTES);
  const tail = await bytesAt(handle, size - tailBytes, tailBytes);
  let end = tail.length - END_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== END_SIGN) end -= 1;
  if (end < 0) throw new NoZipError();
  const count = tail.readUInt16LE(end + 10);
  const directory = await bytesAt(handle, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  if (count > ENTRIES_MAX) throw new NoZipError();
  const entries: Entry[] = [];
  for (let at = 0; entries.length < count;) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== ENTRY_SIGN) throw new NoZipError();
    entries.push({
      method: directory.readUInt16LE(at + 10),
      packedBytes: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    });
    at +=
      ENTRY_BYTES + directory.readUInt16LE(at + 28) + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

async function inflatedBytes(handle: FileHandle, entry: Entry, limitBytes: number): Promise<number> {
  const head = await bytesAt(handle, entry.offset, LOCAL_BYTES);
  const start = entry.offset + LOCAL_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
  const inflate = createInflateRaw();
  inflate.end(await bytesAt(handle, start, entry.packedBytes));
  let bytes = 0;
  try {
    for await (const chunk of inflate) {
      if (Buffer.isBuffer(chunk)) bytes += chunk.length;
      if (bytes > limitBytes) break;
    }
  } catch (error) {
    throw new NoZipError("", { cause: error });
  }
  return bytes;
}
