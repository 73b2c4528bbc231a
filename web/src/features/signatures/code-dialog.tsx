import type { Signature, Signer } from "@app/shared/signatures";
import { Button } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { BackButton } from "../../ui/form-foot.tsx";

interface Props {
  signature: Signature;
  signer: Signer;
  onClose: () => void;
}

/** Makes the code that somebody reads to a signer by phone, and shows it this once. */
export function CodeDialog({ signature: { id }, signer, onClose }: Props) {
  const utils = api.useUtils();
  const making = api.signatures.newCode.useMutation({ onSuccess: () => utils.signatures.invalidate() });
  const linking = api.signatures.showLink.useMutation();
  const of = { id, signerId: signer.id };
  const { code } = making.data ?? {};
  const footer = code ? (
    <Button onClick={onClose}>Done</Button>
  ) : (
    <>
      <BackButton />
      <Button loading={making.isPending} onClick={() => making.mutate(of)}>
        {signer.hasCode ? "Make a new code" : "Make a code"}
      </Button>
    </>
  );
  const error = making.error ?? linking.error;
  return (
    <Dialog isOpen onClose={onClose} title={`Code for ${signer.name}`} footer={footer}>
      {error && <FormFailure>{messageOf(error)}</FormFailure>}
      {code ? (
        <>
          <p className="signing-code" aria-live="polite">
            {code.slice(0, 3)} {code.slice(3)}
          </p>
          <p>
            Read it to {signer.name} by phone, to nobody else, and do not write it to them. It is shown only now: a new
            one can be made at any time, and ends this one.
          </p>
          {linking.data ? (
            <p className="signing-link">{linking.data.address}</p>
          ) : (
            <Button variant="default" size="xs" loading={linking.isPending} onClick={() => linking.mutate(of)}>
              Show the link to hand over
            </Button>
          )}
        </>
      ) : (
        <p>
          {signer.name} types it before they see the document. Phone them in a way that is safe for them, and make it
          while you have them on the line.
          {signer.hasCode && " The code that was made before ends with it."}
        </p>
      )}
    </Dialog>
  );
}
