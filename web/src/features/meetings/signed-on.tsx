import type { Meeting } from "@app/shared/meetings";
import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { useFormats } from "../../core/format.ts";
import { useNoteOther } from "../people/use-note-other.ts";

interface Props {
  meetingId: string;
  other: Meeting["others"][number];
  mayManage: boolean;
}

/** The day on which somebody signed that it stays confidential: without it the session does not start. */
export function SignedOn({ meetingId, other: { personId, name, signedOn }, mayManage }: Props) {
  const formats = useFormats();
  const { note, isPending } = useNoteOther(meetingId, personId);
  const [day, setDay] = useState("");
  if (signedOn)
    return <span className="quiet-text">Signed the confidentiality agreement on {formats.day(signedOn)}</span>;
  if (!mayManage) return <span className="quiet-text">Has not signed the confidentiality agreement</span>;
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        size="xs"
        type="date"
        label={`${name} signed the confidentiality agreement on`}
        value={day}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <Button
        size="xs"
        variant="default"
        loading={isPending}
        disabled={!day}
        onClick={() => void note({ signedOn: day })}
      >
        Record
      </Button>
    </Group>
  );
}
