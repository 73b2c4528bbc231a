import { instantOf, wallTimeOf } from "@app/shared/wall-time";
import { Button, Popover, TextInput } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { useState } from "react";
import { useCurrentUser } from "../../core/session.ts";
import "./compose-later.css";

const DAY_MS = 86_400_000;
const MORNING = "09:00";

interface Props {
  isDisabled: boolean;
  onChoose: (sendAt: string) => void;
}

/** Lets the message leave at a day and time that the writer chooses. */
export function SendLater({ isDisabled, onChoose }: Props) {
  const { timeZone } = useCurrentUser();
  const [isOpen, setIsOpen] = useState(false);
  const [when, setWhen] = useState(() => ({
    day: wallTimeOf(timeZone, new Date(Date.now() + DAY_MS)).day,
    time: MORNING,
  }));
  const [error, setError] = useState("");
  const choose = () => {
    if (!when.day || !when.time) return setError("Choose a day and a time.");
    const sendAt = instantOf(timeZone, when);
    if (sendAt.getTime() <= Date.now()) return setError("This time is over. Choose a later one.");
    setIsOpen(false);
    onChoose(sendAt.toISOString());
  };
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="top-end" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          disabled={isDisabled}
          leftSection={<IconClock size={16} stroke={1.7} aria-hidden />}
          onClick={() => setIsOpen(!isOpen)}
        >
          Send later
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="compose-later" aria-label="When it is to leave">
        <TextInput
          type="date"
          label="Day"
          value={when.day}
          onChange={(event) => setWhen({ ...when, day: event.currentTarget.value })}
        />
        <TextInput
          type="time"
          label="Time"
          value={when.time}
          error={error || undefined}
          onChange={(event) => setWhen({ ...when, time: event.currentTarget.value })}
        />
        <Button onClick={choose}>Send it then</Button>
      </Popover.Dropdown>
    </Popover>
  );
}
