import { notify, notifyError } from "../../core/notify.ts";
import { addressOf } from "./link-values.ts";

export async function copyLink(link: { publicId: string }, message: string): Promise<void> {
  const address = addressOf(link);
  try {
    await navigator.clipboard.writeText(address);
    notify(message);
  } catch {
    // Pages without TLS may not write there.
    notifyError(`Copy it from here: ${address}`);
  }
}
