import { Button, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Dialog } from "./dialog.tsx";
import { BackButton } from "./form-foot.tsx";

interface Props {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, and what cannot be undone. */
  children: ReactNode;
  confirmLabel: string;
  onConfirm: () => void;
  /** The person types this before the button works; for what cannot be undone. */
  textToType?: string;
  isDestructive?: boolean;
  isBusy?: boolean;
  /** Something was typed among the children. */
  isDirty?: boolean;
}

/** A phone begins with a capital, and some type the quotation marks too. */
const wordOf = (text: string): string => text.replace(/["“”]/g, "").trim().toLowerCase();

export function ConfirmDialog(props: Props) {
  const {
    isOpen,
    onClose,
    title,
    children,
    confirmLabel,
    onConfirm,
    textToType,
    isDestructive = true,
    isBusy = false,
    isDirty = false,
  } = props;
  const [typed, setTyped] = useState("");
  const isReady = textToType === undefined || wordOf(typed) === wordOf(textToType);
  const close = () => {
    setTyped("");
    onClose();
  };
  const confirm = () => {
    if (isReady) onConfirm();
  };
  const footer = (
    <>
      <BackButton />
      <Button {...(isDestructive ? { color: "red" } : {})} disabled={!isReady} loading={isBusy} onClick={confirm}>
        {confirmLabel}
      </Button>
    </>
  );
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title} footer={footer} isDirty={isDirty}>
      {children}
      {textToType !== undefined && (
        <TextInput
          mt="md"
          label={<Text inherit>{`Type "${textToType}" to go on`}</Text>}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && confirm()}
          autoComplete="off"
          data-autofocus
        />
      )}
    </Dialog>
  );
}
