import type { SessionRow } from "@app/shared/sessions";
import { Button } from "@mantine/core";
import { Dialog } from "../../ui/dialog.tsx";
import { LinkButton } from "../../ui/links.tsx";

interface Props {
  /** The one whose clock runs. */
  session: Pick<SessionRow, "id" | "number">;
  onStart: () => void;
  onClose: () => void;
}

/** Two sessions of a case at once are seldom meant: the one that runs is offered first. */
export function UnderWayDialog({ session: { id, number }, onStart, onClose }: Props) {
  const footer = (
    <>
      <Button variant="default" onClick={onStart}>
        Start another session
      </Button>
      <LinkButton to="/sessions/$id" params={{ id }}>
        Go to session {number}
      </LinkButton>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={`Session ${number} is under way`} footer={footer}>
      <p>Go on there, or end it first. Another session can start beside it only with people who are not in this one.</p>
    </Dialog>
  );
}
