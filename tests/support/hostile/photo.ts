/** A JPEG of one pixel, with these words in what a camera writes into it about place and person. */
export function aPhoto(taken: string): Buffer<ArrayBuffer> {
  const exif = Buffer.from(`Exif\0\0${taken}`);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    Buffer.from([0xff, 0xe1, 0, exif.length + 2]),
    exif,
    Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]),
    Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0, 0x55, 0xff, 0xd9]),
  ]);
}
