import { isBeingSigned, type Signature, type Signer, SIGNING_DAYS_DEFAULT } from "@app/shared/signatures";
import { Button, Group } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useNewId } from "../../core/use-new-id.ts";

interface Props {
  signature: Signature;
  signer: Signer;
}

/** What can still be done about somebody who has not signed. */
export function SignerActions({ signature: { id, status }, signer: { partyId, state, name } }: Props) {
  const { changeId, remind, extend, show } = useSignerChanges();
  const isOpen = isBeingSigned(status) || status === "expired";
  if (!isOpen || state === "signed" || state === "declined") return null;
  if (state === "expired")
    return (
      <Button
        size="xs"
        variant="default"
        loading={extend.isPending}
        onClick={() => extend.mutate({ id, partyId, changeId, days: SIGNING_DAYS_DEFAULT })}
      >
        Give {SIGNING_DAYS_DEFAULT} more days
      </Button>
    );
  return (
    <Group gap="xs">
      {state !== "waiting" && (
        <Button
          size="xs"
          variant="default"
          loading={remind.isPending}
          onClick={() => remind.mutate({ id, partyId, changeId })}
        >
          Remind
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        loading={show.isPending}
        onClick={() => show.mutate({ id, partyId })}
        aria-label={`Sign here with ${name}`}
      >
        Sign here
      </Button>
    </Group>
  );
}

/** What changes one signer, and says so. */
function useSignerChanges() {
  const utils = api.useUtils();
  const [changeId, renew] = useNewId();
  const saying = (said: string) => ({
    onError: (error: unknown) => notifyError(messageOf(error)),
    onSuccess: async () => {
      renew();
      await utils.signatures.invalidate();
      notify(said);
    },
  });
  return {
    changeId,
    remind: api.signatures.remind.useMutation(saying("The reminder is on its way")),
    extend: api.signatures.extend.useMutation(saying("They have more time, and were asked again")),
    show: api.signatures.showLink.useMutation({
      onError: (error: unknown) => notifyError(messageOf(error)),
      // On a screen that is handed to whoever signs: beside the practice's own page.
      onSuccess: ({ address }) => void window.open(address, "_blank", "noopener"),
    }),
  };
}
