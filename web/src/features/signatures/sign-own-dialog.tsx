import type { OwnSigning, Signature } from "@app/shared/signatures";
import { Button, Stack } from "@mantine/core";
import { useCallback, useEffect, useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loading } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { later } from "../../ui/later.tsx";
import { SignForm } from "./sign-form.tsx";
import "./sign-page.css";

const PdfView = later(async () => (await import("../../ui/pdf/pdf-view.tsx")).PdfView);

interface Props {
  signature: Signature;
  onClose: () => void;
}

const WHY_NOT: Record<Exclude<OwnSigning["state"], "open">, string> = {
  not_yet: "It is not your turn yet: others sign before you.",
  signed: "You have signed this.",
  complete: "Everyone has signed this.",
  declined: "This is not to be signed any more.",
  expired: "Your time to sign is over. Ask whoever sent it out for more time.",
  void: "This is not to be signed any more.",
};

/** A mediator of the case reads the document to its end, and signs it as themselves. */
export function SignOwnDialog({ signature: { id, fileName }, onClose }: Props) {
  const { mutate, data: page, error } = api.signatures.own.open.useMutation();
  const [isAtEnd, setIsAtEnd] = useState(false);
  const [step, setStep] = useState<"reads" | "reads on" | "signs">("reads");
  const [isTyped, setIsTyped] = useState(false);
  useEffect(() => mutate({ id }), [mutate, id]);
  const end = useCallback(() => setIsAtEnd(true), []);
  const isOpen = page?.state === "open";
  const footer = isOpen && step !== "signs" && (
    <>
      {step === "reads on" && !isAtEnd && (
        <span role="alert" className="dialog-progress">
          Read the document to its end first: scroll down in it, or open it by itself.
        </span>
      )}
      <BackButton />
      <Button onClick={() => setStep(isAtEnd ? "signs" : "reads on")}>Go on to sign</Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={`Sign “${fileName}”`} size="wide" footer={footer} isDirty={isTyped}>
      {error && <FormFailure>{messageOf(error)}</FormFailure>}
      {!page && !error && <Loading />}
      {page && page.state !== "open" && <p>{WHY_NOT[page.state]}</p>}
      {isOpen && step !== "signs" && <Reading page={page} onEnd={end} />}
      {isOpen && step === "signs" && <Signing id={id} page={page} onTyped={() => setIsTyped(true)} onDone={onClose} />}
    </Dialog>
  );
}

function Reading({ page, onEnd }: { page: OwnSigning; onEnd: () => void }) {
  const formats = useFormats();
  const address = `/files/${page.fileId}`;
  return (
    <Stack gap="md">
      <p className="quiet-text">Read it to its end. You can sign it until {formats.dateTime(page.dueAt)}.</p>
      <div className="sign-document">
        <PdfView address={address} onEnd={onEnd} />
      </div>
      <p className="quiet-text">
        <a href={`${address}?inline=true`} target="_blank" rel="noreferrer" onClick={onEnd}>
          Open it by itself
        </a>
        , larger or with a screen reader
      </p>
    </Stack>
  );
}

interface SigningProps {
  id: string;
  page: OwnSigning;
  onTyped: () => void;
  onDone: () => void;
}

function Signing({ id, page, onTyped, onDone }: SigningProps) {
  const utils = api.useUtils();
  const sign = api.signatures.own.sign.useMutation();
  return (
    <Stack gap="md">
      <p className="quiet-text">You sign as {page.name}, mediator. Everybody who signs reads that in the end.</p>
      <SignForm
        documentHash={page.documentHash}
        askedName={page.name}
        isAtEnd
        onSign={async (signed) => {
          await sign.mutateAsync({ id, ...signed });
          await Promise.all([utils.signatures.invalidate(), utils.timeline.invalidate(), utils.tasks.invalidate()]);
          notify("You have signed it");
          onDone();
        }}
        onDecline={null}
        onTyped={onTyped}
      />
    </Stack>
  );
}
