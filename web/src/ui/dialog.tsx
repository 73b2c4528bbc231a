import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import "./dialog.css";

const WIDTHS = { small: 480, form: 640, wide: 940 } as const;

interface Props {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  size?: keyof typeof WIDTHS;
  children: ReactNode;
  /** Buttons; the primary one last. */
  footer?: ReactNode;
}

export function Dialog({ isOpen, onClose, title, size = "small", children, footer }: Props) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={WIDTHS[size]}
      padding={0}
      yOffset={40}
      className="dialog"
      // A dialog is no page: its head must not be taken for a second banner.
      attributes={{ header: { role: "presentation" } }}
    >
      <div className="dialog-body">{children}</div>
      {footer && <div className="dialog-foot">{footer}</div>}
    </Modal>
  );
}
