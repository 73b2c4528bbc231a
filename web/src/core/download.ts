import type { MouseEvent } from "react";
import { headers } from "./api-client.ts";
import { cachingClient } from "./api.ts";
import { isUnconfirmed, messageOf } from "./errors.ts";
import { notifyError } from "./notify.ts";

/** Of every export: a file that waits for what a large practice's takes. */
const REVOKED_AFTER_MS = 60_000;
const BROKEN_OFF = "The file did not arrive whole, so nothing was kept. Check your connection and try again.";

/** Hands over a file that the server gives only to somebody who showed within ten minutes who they are. */
async function download(address: string): Promise<void> {
  try {
    await cachingClient.auth.requireConfirmation.mutate();
  } catch (error) {
    // Whoever left the question knows that nothing came.
    if (!isUnconfirmed(error)) notifyError(messageOf(error));
    return;
  }
  await takeFile(address);
}

/** Hands over a file that the server gives as it is asked for; says why not where it does not. */
export async function takeFile(address: string): Promise<void> {
  // Taken in whole before it is kept: what breaks off, or is refused in words, would be kept as the file otherwise.
  try {
    const answer = await fetch(address, { headers: headers() });
    if (answer.ok) save(await answer.blob(), nameIn(answer.headers.get("content-disposition") ?? ""));
    else notifyError(wordsIn(await answer.text()));
  } catch {
    notifyError(BROKEN_OFF);
  }
}

function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKED_AFTER_MS);
}

/** The full name, or else the plain one, which stands in quotes only where it has to (RFC 6266). */
export function nameIn(disposition: string): string {
  const full = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (full) return decodeURIComponent(full.trim());
  const [, quoted, token] = /filename=(?:"([^"]+)"|([^";\s]+))/i.exec(disposition) ?? [];
  return quoted ?? token ?? "";
}

/** What a refusal says, in the shape of all of them. */
function wordsIn(text: string): string {
  try {
    const { error }: { error?: { message?: unknown } } = JSON.parse(text);
    return typeof error?.message === "string" ? error.message : BROKEN_OFF;
  } catch {
    return BROKEN_OFF;
  }
}

/** Makes a link or button such a download. */
export const downloadOf = (address: string) => ({
  component: "a" as const,
  href: address,
  download: true,
  onClick: (event: MouseEvent) => {
    event.preventDefault();
    void download(address);
  },
});
