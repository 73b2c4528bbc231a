// A picture on its way to the server: made as small as it is needed, and without what a camera writes into it about place
// and time.

interface Wanted {
  /** Of the longer side, in pixels. */
  sideMax: number;
  /** What can be seen through stays so, unless it takes more than this. */
  clearMaxBytes?: number;
}

const QUALITY = 0.85;

/** The same picture as a JPEG or a PNG, whatever kind it was that this browser shows. */
export async function redrawn(file: File, { sideMax, clearMaxBytes = 0 }: Wanted): Promise<File> {
  const picture = await createImageBitmap(file).catch((error: unknown) => {
    throw new Error("This is no picture that can be shown. Choose a PNG, JPEG, WebP or GIF.", { cause: error });
  });
  const scale = Math.min(1, sideMax / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser cannot make the picture smaller. Try another browser.");
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  if (clearMaxBytes > 0 && file.type !== "image/jpeg") {
    const clear = await blobOf(canvas, "image/png");
    if (clear.size <= clearMaxBytes) return new File([clear], "picture.png", { type: "image/png" });
  }
  // What can be seen through would be black.
  pen.globalCompositeOperation = "destination-over";
  pen.fillStyle = "white";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  return new File([await blobOf(canvas, "image/jpeg")], "picture.jpg", { type: "image/jpeg" });
}

async function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY));
  if (!blob) throw new Error("This picture could not be made smaller. Choose another one.");
  return blob;
}
