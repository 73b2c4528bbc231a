import type { MouseEvent } from "react";
import { cachingClient } from "./api.ts";
import { isUnconfirmed, messageOf } from "./errors.ts";
import { notifyError } from "./notify.ts";

/** Hands over a file that the server gives only to somebody who showed within ten minutes who they are. */
async function download(address: string): Promise<void> {
  try {
    await cachingClient.auth.requireConfirmation.mutate();
  } catch (error) {
    // Whoever left the question knows that nothing came.
    if (!isUnconfirmed(error)) notifyError(messageOf(error));
    return;
  }
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
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
