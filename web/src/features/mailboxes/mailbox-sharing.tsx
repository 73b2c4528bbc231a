import type { MailboxSharing as Sharing } from "@app/shared/mailboxes";
import { Stack, Switch } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";

interface Props {
  sharing: Sharing;
  /** One that only sends is shown to nobody here. */
  isRead: boolean;
  /** Whoever may not can only take back. */
  mayGive: boolean;
}

/** What colleagues may do with one's own mailbox; each switch is saved at once. */
export function MailboxSharing({ sharing, isRead, mayGive }: Props) {
  const utils = api.useUtils();
  const share = api.mailboxes.share.useMutation({
    onError: (error) => notifyError(messageOf(error)),
    onSuccess: (view) => {
      utils.mailboxes.get.setData(undefined, view);
      notify("Saved who may use your mailbox");
    },
  });
  const set = (change: Partial<Sharing>) => share.mutate({ ...sharing, ...change });
  return (
    <Stack gap="sm" mt="md" role="group" aria-label="What colleagues may do">
      <Switch
        label="My practice may send from it"
        description="Colleagues without a mailbox of their own send by yours, in the practice’s name."
        checked={sharing.maySend}
        disabled={share.isPending || (!mayGive && !sharing.maySend)}
        onChange={(event) => set({ maySend: event.currentTarget.checked })}
      />
      {isRead && (
        <Switch
          label="My practice may read it"
          description="Colleagues with permission to read mail can read everything in it, private mail too. Links to reset your password then no longer go to it. Mail with clients is shown on their Messages tab either way."
          checked={sharing.mayRead}
          disabled={share.isPending || (!mayGive && !sharing.mayRead)}
          onChange={(event) => set({ mayRead: event.currentTarget.checked })}
        />
      )}
    </Stack>
  );
}
