import { can } from "@app/shared/access";
import type { Client } from "@app/shared/clients";
import { Button } from "@mantine/core";
import { IconPhoneOff } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Panel } from "../../ui/panel.tsx";
import { CHANNELS } from "./client-safety-fields.tsx";

interface Props {
  client: Client;
  name: string;
}

/** They said that a way of reaching them is not safe: until somebody has looked, nothing goes to them by any. */
export function UncheckedPanel({ client, name }: Props) {
  const { id, version, safeContact } = client;
  const user = useCurrentUser();
  const utils = api.useUtils();
  const confirm = api.clients.confirmContact.useMutation({
    onSuccess: async () => {
      await Promise.all([utils.clients.invalidate(), utils.tasks.invalidate(), utils.casework.invalidate()]);
      notify(`How ${name} may be reached is confirmed`);
    },
    onError: (error) => notifyError(messageOf(error)),
  });
  const ways = CHANNELS.filter(([channel]) => safeContact[channel]).map(([, label]) => label.toLowerCase());
  const stands = ways.length > 0 ? ways.join(", ") : "nothing";
  return (
    <Panel
      tone="safety"
      icon={<IconPhoneOff size={18} stroke={1.7} aria-hidden />}
      title={`Do not contact ${name} yet`}
      action={
        can(user, "clients.write") && (
          <Button variant="default" loading={confirm.isPending} onClick={() => confirm.mutate({ id, version })}>
            These ways are safe
          </Button>
        )
      }
    >
      How they may be reached has to be checked first, and mail to them is held. Their record allows: {stands}. Edit the
      record where that is not safe.
    </Panel>
  );
}
