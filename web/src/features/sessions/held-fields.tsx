import { Stack } from "@mantine/core";
import { instantsOf, type When, WhenFields } from "../../ui/when-fields.tsx";
import { UnmetReasonField } from "./unmet-reason-field.tsx";

export const NO_TIME: When = { day: "", from: "", to: "" };

export interface Held {
  when: When;
  unmetReason: string;
}

/** As it is sent: the times are instants. */
export function heldOf(timeZone: string, { when, unmetReason }: Held) {
  const { startsAt: startedAt, endsAt: endedAt } = instantsOf(timeZone, when);
  return { startedAt, endedAt, unmetReason: unmetReason.trim() };
}

interface Props {
  value: Held;
  errors: Record<string, string>;
  onWhen: (when: When) => void;
  onReason: (reason: string) => void;
}

/** When a session took place, and why although something was missing for it then. */
export function HeldFields({ value, errors, onWhen, onReason }: Props) {
  const { startedAt, endedAt, unmetReason, ...ofTime } = errors;
  const ofTimes = { ...ofTime, ...(startedAt ? { startsAt: startedAt } : {}), ...(endedAt ? { endsAt: endedAt } : {}) };
  return (
    <Stack gap="lg">
      <WhenFields value={value.when} errors={ofTimes} onChange={onWhen} />
      <UnmetReasonField value={value.unmetReason} error={unmetReason} onChange={onReason} />
    </Stack>
  );
}
