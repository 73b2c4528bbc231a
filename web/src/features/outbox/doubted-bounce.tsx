import { Button, Group } from "@mantine/core";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import "./doubted-bounce.css";

interface Props {
  /** Why the message came back, as the report says; empty for no report. */
  said: string;
  isBusy: boolean;
  onDecide: (hasBounced: boolean) => Promise<unknown>;
}

/** A report that a message came back, which nothing proves: a person decides. */
export function DoubtedBounce({ said, isBusy, onDecide }: Props) {
  if (!said) return null;
  const decide = async (hasBounced: boolean) => {
    try {
      await onDecide(hasBounced);
      notify(hasBounced ? "The message counts as not delivered" : "The report is ignored");
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return (
    <div className="doubted-bounce">
      <div>
        Somebody reports that this message came back. Your mail provider did not confirm the report, so it counts as
        sent. The report says: {said}
      </div>
      <Group gap="xs">
        <Button size="xs" variant="default" disabled={isBusy} onClick={() => void decide(true)}>
          It came back
        </Button>
        <Button size="xs" variant="default" disabled={isBusy} onClick={() => void decide(false)}>
          Ignore the report
        </Button>
      </Group>
    </div>
  );
}
