import type { ClientRow } from "@app/shared/clients";
import { IconKey, IconMailOff, IconMessage, IconMessageOff, IconPhoneOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Chip } from "../../ui/chip.tsx";

const icon = { size: 14, stroke: 1.7, "aria-hidden": true } as const;

type Ruled = Pick<ClientRow, "safeContact" | "hasCodeWord" | "isContactUnchecked">;

/** The one rule that matters most before somebody picks up the phone; the client's page has them all. */
function ruleOf({ safeContact: safe, hasCodeWord, isContactUnchecked }: Ruled) {
  if (isContactUnchecked) return { icon: <IconPhoneOff {...icon} />, text: "Check first" };
  if (!safe.mayPhone && !safe.mayEmail && !safe.mayPost && safe.mayText)
    return { icon: <IconMessage {...icon} />, text: "Text only" };
  if (!safe.mayPhone) return { icon: <IconPhoneOff {...icon} />, text: "No calls" };
  if (hasCodeWord) return { icon: <IconKey {...icon} />, text: "Code word" };
  if (!safe.mayEmail) return { icon: <IconMailOff {...icon} />, text: "No email" };
  if (!safe.mayText) return { icon: <IconMessageOff {...icon} />, text: "No texts" };
  if (!safe.mayPost) return { icon: <IconMailOff {...icon} />, text: "No post" };
  return null;
}

interface Props {
  client: Ruled;
  /** Shown where no rule restricts anything. */
  otherwise?: ReactNode;
}

export function SafeContactChip({ client, otherwise = null }: Props) {
  const rule = ruleOf(client);
  if (!rule) return otherwise;
  return (
    <Chip tone="safety" icon={rule.icon}>
      {rule.text}
    </Chip>
  );
}
