import { Button, Title } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import "./empty-state.css";

interface Props {
  title: string;
  /** What happened and what to do. */
  message: ReactNode;
  /** For support, in small print. */
  reference?: string | undefined;
  onRetry?: () => void;
}

/** Stands where the content would. */
export function ErrorState({ title, message, reference, onRetry }: Props) {
  return (
    <div className="empty-state" role="alert">
      <div className="empty-state-icon">
        <IconPlugConnectedX size={24} stroke={1.7} aria-hidden />
      </div>
      <Title order={2} fz={16} lh="24px">
        {title}
      </Title>
      <div className="empty-state-text">{message}</div>
      {onRetry && (
        <div className="empty-state-actions">
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )}
      {reference && <div className="empty-state-code">If you write to support, give code {reference}.</div>}
    </div>
  );
}
