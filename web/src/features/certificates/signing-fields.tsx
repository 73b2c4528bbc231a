// What the dialogs in which a certificate is signed have in common.
import { type CertificateChoices, VOID_REASON_MAX_LENGTH } from "@app/shared/certificates";
import { Checkbox, Group, TextInput, type TextInputProps } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useFormats } from "../../core/format.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { Panel } from "../../ui/panel.tsx";

type Replaces = CertificateChoices["replaces"];

interface BlockedProps {
  blockers: readonly string[];
  /** Leads to where that can be put right. */
  children?: ReactNode;
}

/** Why nothing can be signed, and the ways on from there. */
export function Blocked({ blockers, children }: BlockedProps) {
  return (
    <>
      <FormFailure>
        {blockers.map((words) => (
          <p key={words}>{words}</p>
        ))}
      </FormFailure>
      <Group justify="flex-end" mt="lg">
        <BackButton>Close</BackButton>
        {children}
      </Group>
    </>
  );
}

interface LateProps {
  words: string;
  isConfirmed: boolean;
  error: string | undefined;
  onChange: (isConfirmed: boolean) => void;
}

/** Its months are over: it is issued all the same, by somebody who has seen that. */
export function LateConfirm({ words, isConfirmed, error, onChange }: LateProps) {
  return (
    <Panel icon={<IconAlertCircle size={18} stroke={1.7} aria-hidden />} title="Its months are over">
      <p>{words}</p>
      <Checkbox
        mt="xs"
        label="Issue it all the same, as proof that they attended"
        checked={isConfirmed}
        error={error}
        aria-invalid={error !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Panel>
  );
}

interface OwnWordsProps {
  words: readonly string[];
  isRead: boolean;
  error: string | undefined;
  onChange: (isRead: boolean) => void;
}

/** What the practice's own template adds: whoever signs answers for that too. */
export function OwnWordsConfirm({ words, isRead, error, onChange }: OwnWordsProps) {
  if (words.length === 0) return null;
  return (
    <Panel icon={<IconAlertCircle size={18} stroke={1.7} aria-hidden />} title="Words of your practice stand on it too">
      {words.map((line) => (
        <p key={line}>“{line}”</p>
      ))}
      <Checkbox
        mt="xs"
        label="I have read these words, and they are true of this person"
        checked={isRead}
        error={error}
        aria-invalid={error !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Panel>
  );
}

export const whyUnread = (words: readonly string[], isRead: boolean): Record<string, string> =>
  words.length > 0 && !isRead ? { hasReadWords: "Confirm that you have read them" } : {};

export const whyLate = (isLate: boolean, isConfirmed: boolean): Record<string, string> =>
  isLate && !isConfirmed ? { isLateConfirmed: "Confirm that you have seen this" } : {};

export const whyReplaced = (replaces: Replaces, reason: string): Record<string, string> =>
  replaces.length > 0 && !reason.trim() ? { replaceReason: "Say why it is void" } : {};

/** One that was used is with a court, who is to hear that another one takes its place. */
export function ReplacedField({ replaces, ...field }: TextInputProps & { replaces: Replaces }) {
  const formats = useFormats();
  if (replaces.length === 0) return null;
  return (
    <>
      {replaces
        .filter(({ usedOn }) => usedOn)
        .map(({ number, usedOn }) => (
          <p key={number}>
            {number} was used on {formats.calendarDay(usedOn)}. Tell the person or court it was given to that a new one
            replaces it.
          </p>
        ))}
      <TextInput
        label={`Why is ${replaces.map(({ number }) => number).join(" and ")} void?`}
        description="One certificate of the same stands: the new one makes it void"
        maxLength={VOID_REASON_MAX_LENGTH}
        {...field}
      />
    </>
  );
}
