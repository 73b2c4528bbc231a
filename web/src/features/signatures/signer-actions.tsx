import { isBeingSigned, type Signature, type Signer, SIGNING_DAYS_DEFAULT } from "@app/shared/signatures";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { CodeDialog } from "./code-dialog.tsx";
import { SignOwnDialog } from "./sign-own-dialog.tsx";

interface Props {
  signature: Signature;
  signer: Signer;
  maySend: boolean;
}

/** What can still be done about somebody who has not signed. */
export function SignerActions({ signature, signer, maySend }: Props) {
  const { status } = signature;
  const { kind, state, id } = signer;
  const { userId } = useCurrentUser();
  const isOpen = isBeingSigned(status) || status === "expired";
  if (!isOpen || state === "signed" || state === "declined") return null;
  const isCodeWanted = maySend && kind === "party" && signature.isCodeAsked;
  return (
    <Group gap="xs">
      {isCodeWanted && <GiveCode signature={signature} signer={signer} />}
      {kind === "mediator" && id === userId && state !== "expired" && <SignOwn signature={signature} />}
      {maySend && state === "expired" && <MoreTime signature={signature} signer={signer} />}
      {maySend && state !== "expired" && kind === "party" && <ReachSigner signature={signature} signer={signer} />}
    </Group>
  );
}

function SignOwn({ signature }: Pick<Props, "signature">) {
  const [isSigning, setIsSigning] = useState(false);
  return (
    <>
      <Button size="xs" onClick={() => setIsSigning(true)}>
        Read and sign
      </Button>
      {isSigning && <SignOwnDialog signature={signature} onClose={() => setIsSigning(false)} />}
    </>
  );
}

function GiveCode(props: Pick<Props, "signature" | "signer">) {
  const [isGiving, setIsGiving] = useState(false);
  const { hasCode, name } = props.signer;
  const words = hasCode ? "New code" : "Give a code";
  return (
    <>
      <Button size="xs" variant="default" aria-label={`${words} for ${name}`} onClick={() => setIsGiving(true)}>
        {words}
      </Button>
      {isGiving && <CodeDialog {...props} onClose={() => setIsGiving(false)} />}
    </>
  );
}

type Change = Pick<Props, "signature" | "signer">;

function MoreTime({ signature: { id }, signer }: Change) {
  const { changeId, extend } = useSignerChanges();
  return (
    <Button
      size="xs"
      variant="default"
      loading={extend.isPending}
      onClick={() => extend.mutate({ id, signerId: signer.id, changeId, days: SIGNING_DAYS_DEFAULT })}
    >
      Give {SIGNING_DAYS_DEFAULT} more days
    </Button>
  );
}

function ReachSigner({ signature: { id }, signer }: Change) {
  const { changeId, remind, show } = useSignerChanges();
  return (
    <>
      {signer.state !== "waiting" && (
        <Button
          size="xs"
          variant="default"
          loading={remind.isPending}
          onClick={() => remind.mutate({ id, signerId: signer.id, changeId })}
        >
          Remind
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        loading={show.isPending}
        onClick={() => show.mutate({ id, signerId: signer.id })}
        aria-label={`Sign here with ${signer.name}`}
      >
        Sign here
      </Button>
    </>
  );
}

const BY_TASK = "They may not be emailed: a task says how to reach them";

/** What changes one signer, and says what came of it. */
function useSignerChanges() {
  const utils = api.useUtils();
  const [changeId, renew] = useNewId();
  const saying = (said: string) => ({
    onError: (error: unknown) => notifyError(messageOf(error)),
    onSuccess: async ({ signers }: Signature, { signerId }: { signerId: string }) => {
      renew();
      await Promise.all([utils.signatures.invalidate(), utils.tasks.invalidate()]);
      notify(signers.find(({ id }) => id === signerId)?.task ? BY_TASK : said);
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
