import { Modal } from "@mantine/core";
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from "react";
import { useEscape, useFirstField, useOpener } from "./dialog-focus.ts";
import { askToLeave, isAnyUnsaved, type Unsaved, UnsavedScope, useUnsaved } from "./unsaved.ts";
import "./dialog.css";

const WIDTHS = { small: 480, form: 640, wide: 940, full: 1240 } as const;
const CloseContext = createContext<() => void>(() => undefined);

interface Props {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  size?: keyof typeof WIDTHS;
  children: ReactNode;
  /** Buttons; the primary one last. */
  footer?: ReactNode;
  /** Something is typed here that closing would throw away; forms inside say so themselves. */
  isDirty?: boolean;
}

/** Begins at its first field, asks before what was typed is thrown away, and gives the focus back to what opened it. */
export function Dialog({ isOpen, onClose, title, size = "small", children, footer, isDirty = false }: Props) {
  const body = useRef<HTMLDivElement>(null);
  const { scope, mayClose } = useDialogScope(isOpen, isDirty);
  const close = () => {
    if (mayClose()) onClose();
  };
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useOpener(isOpen, body);
  useEscape(isOpen, body, latest);
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      closeOnEscape={false}
      returnFocus={false}
      title={title}
      size={WIDTHS[size]}
      padding={0}
      yOffset={40}
      className="dialog"
      // A dialog is no page: its head must not be taken for a second banner.
      attributes={{ header: { role: "presentation" } }}
    >
      <UnsavedScope value={scope}>
        <CloseContext value={close}>
          <Body place={body}>{children}</Body>
          {footer && <div className="dialog-foot">{footer}</div>}
        </CloseContext>
      </UnsavedScope>
    </Modal>
  );
}

function Body({ place, children }: { place: RefObject<HTMLDivElement | null>; children: ReactNode }) {
  useFirstField(place);
  return (
    <div className="dialog-body" ref={place} tabIndex={-1}>
      {children}
    </div>
  );
}

/** Closes the dialog around it as Escape does. */
export const useCloseDialog = (): (() => void) => useContext(CloseContext);

/** What in a dialog would be lost, and the question before that; whoever said yes is not asked again as it goes. */
function useDialogScope(isOpen: boolean, isDirty: boolean) {
  const [scope] = useState(() => new Set<Unsaved>());
  const isLetGo = useRef(false);
  useEffect(() => {
    isLetGo.current = false;
  }, [isOpen]);
  const isUnsaved: Unsaved = (isGoingOn) => isOpen && !isLetGo.current && (isDirty || isAnyUnsaved(scope, isGoingOn));
  useUnsaved(isUnsaved);
  const mayClose = () => {
    if (!isUnsaved(false)) return true;
    isLetGo.current = askToLeave();
    return isLetGo.current;
  };
  return { scope, mayClose };
}
