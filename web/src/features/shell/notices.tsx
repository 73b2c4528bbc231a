import { NOTIFICATION_TIMEOUT_MS } from "@app/shared/product";
import { Button, Group } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import { IconAlertCircle, IconCheck } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { type Notice, onNotice } from "../../core/notify.ts";
import "./notices.css";

/** Where the page says what was done and what failed. */
export function Notices() {
  useEffect(() => onNotice(show), []);
  return <Notifications position="bottom-right" limit={4} containerWidth={400} />;
}

/** The last that only said that something was done: the next one takes its place, so that they do not pile up. */
let done: string | null = null;

function show({ message, isError, action }: Notice) {
  if (done) notifications.hide(done);
  const id = notifications.show({
    message: action ? <WithAction message={message} action={action} onDone={() => notifications.hide(id)} /> : message,
    icon: isError ? (
      <IconAlertCircle size={16} stroke={1.7} aria-hidden />
    ) : (
      <IconCheck size={16} stroke={1.7} aria-hidden />
    ),
    autoClose: isError ? false : action?.seconds ? action.seconds * 1000 : NOTIFICATION_TIMEOUT_MS,
    role: isError ? "alert" : "status",
    closeButtonProps: { "aria-label": "Close this message" },
    className: "notice",
    "data-error": isError || undefined,
  });
  done = isError || action ? null : id;
}

interface ActionProps {
  message: string;
  action: NonNullable<Notice["action"]>;
  onDone: () => void;
}

function WithAction({ message, action, onDone }: ActionProps) {
  const button = useRef<HTMLButtonElement>(null);
  const act = () => {
    onDone();
    action.onAct();
    // The button goes with its notice; a dialog, or what was brought back, may have the keyboard by then.
    void import("../../ui/focus.ts").then(({ focusHeading, isFocusLost }) => {
      const isHere = isFocusLost() || document.activeElement === button.current;
      if (isHere && !document.querySelector('[role="dialog"]')) focusHeading();
    });
  };
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <span>{message}</span>
      <Button ref={button} variant="subtle" size="xs" onClick={act}>
        {action.label}
      </Button>
    </Group>
  );
}
