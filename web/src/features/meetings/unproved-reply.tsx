import type { InvitationReply } from "@app/shared/meeting-states";
import type { Meeting } from "@app/shared/meetings";
import { Button, Group } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";

const SAID: Record<InvitationReply, string> = {
  accepted: "accepts",
  tentative: "may come",
  declined: "declines",
};

interface Props {
  meeting: Meeting;
  partyId: string;
  name: string;
  mayManage: boolean;
}

/** An answer to an invitation of which nothing proves that it is this person's: it counts once somebody confirms it. */
export function UnprovedReply({ meeting, partyId, name, mayManage }: Props) {
  const utils = api.useUtils();
  const settle = api.meetings.settleReply.useMutation({
    onSettled: () => Promise.all([utils.meetings.invalidate(), utils.timeline.invalidate()]),
  });
  const reply = meeting.claims.find((one) => one.partyId === partyId)?.reply;
  if (!reply) return null;
  const decide = async (isTheirs: boolean) => {
    try {
      await settle.mutateAsync({ id: meeting.id, partyId, reply, isTheirs });
      notify(isTheirs ? `The answer counts as ${name}’s` : "The answer is ignored");
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return (
    <>
      <p className="quiet-text">
        Somebody wrote that {name} {SAID[reply]}. Their mail provider did not confirm that it was them, so it does not
        count yet.
      </p>
      {mayManage && (
        <Group gap="xs">
          <Button size="xs" variant="default" disabled={settle.isPending} onClick={() => void decide(true)}>
            It was {name}
          </Button>
          <Button size="xs" variant="default" disabled={settle.isPending} onClick={() => void decide(false)}>
            Ignore it
          </Button>
        </Group>
      )}
    </>
  );
}
