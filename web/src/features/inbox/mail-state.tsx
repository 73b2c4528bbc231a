import type { CaseMail } from "@app/shared/mail";
import { useFormats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";

const STATE_NAMES: Record<CaseMail["state"], string> = {
  queued: "Waits to be sent",
  sending: "Being sent",
  sent: "Sent",
  uncertain: "May have been sent",
  failed: "Not sent",
  bounced: "Could not be delivered",
  cancelled: "Cancelled",
  superseded: "Not needed any more",
};
const NEEDS_SOMEBODY: readonly CaseMail["state"][] = ["failed", "bounced", "uncertain"];

/** How it stands with a mail of the outbox. */
export function MailState({ mail: { state, sendAt } }: { mail: CaseMail }) {
  const formats = useFormats();
  const tone = NEEDS_SOMEBODY.includes(state) ? "late" : state === "sent" ? "plain" : "outline";
  return <Chip tone={tone}>{sendAt ? `Leaves ${formats.dateTime(sendAt)}` : STATE_NAMES[state]}</Chip>;
}
