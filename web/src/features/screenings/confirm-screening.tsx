import type { Screening } from "@app/shared/screenings";
import { mayMediate } from "@app/shared/team-access";
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Panel } from "../../ui/panel.tsx";
import { useScreeningChanged } from "./use-screening.ts";

interface Props {
  screening: Screening;
  name: string;
  mayChange: boolean;
}

const icon = { size: 18, stroke: 1.7, "aria-hidden": true } as const;

/** Of what somebody found who does not mediate: what waits for a mediator, and the one act by which they confirm it. */
export function ConfirmScreening({ screening, name, mayChange }: Props) {
  const { role } = useCurrentUser();
  const changed = useScreeningChanged();
  const confirm = api.screenings.confirm.useMutation({
    onSuccess: async () => {
      await changed();
      notify(`The screening of ${name} is confirmed`);
    },
    onError: (error) => notifyError(messageOf(error)),
  });
  const { id, judgement, completedByName } = screening;
  if (judgement === "given" || screening.struck !== null) return null;
  const isNeeded = judgement === "needed";
  return (
    <Panel
      tone={isNeeded ? "safety" : "plain"}
      icon={isNeeded ? <IconAlertTriangle {...icon} /> : <IconInfoCircle {...icon} />}
      title="No mediator has confirmed this"
      action={
        mayChange &&
        mayMediate(role) && (
          <Button size="xs" variant="default" loading={confirm.isPending} onClick={() => confirm.mutate({ id })}>
            I have read it, and confirm it
          </Button>
        )
      }
    >
      {isNeeded
        ? `${completedByName}, who does not mediate, held it, and ${name} told of a risk. Joint meetings and sessions wait until a mediator has read it and confirms it, or screens ${name} again.`
        : `${completedByName}, who does not mediate, held it. Until a mediator confirms it, it is no risk assessment for a MIAM.`}
    </Panel>
  );
}
