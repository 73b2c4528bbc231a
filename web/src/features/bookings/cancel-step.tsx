import { Button } from "@mantine/core";
import { takeFocus } from "./take-focus.ts";

interface Props {
  /** What becomes of the time. */
  after: string;
  isBusy: boolean;
  onCancel: () => void;
  onBack: () => void;
}

/** Asks whether they mean it. */
export const CancelStep = ({ after, isBusy, onCancel, onBack }: Props) => (
  <div
    className="booking-actions"
    role="group"
    aria-label="Cancel this appointment?"
    onKeyDown={({ key }) => key === "Escape" && !isBusy && onBack()}
  >
    {/* The button cannot keep it while it works; where the server refuses, they go on from the question. */}
    <p key={String(isBusy)} ref={takeFocus} tabIndex={-1} className="plain-text booking-step-head">
      Cancel this appointment? {after}
    </p>
    <Button size="lg" color="red" loading={isBusy} onClick={onCancel}>
      Cancel the appointment
    </Button>
    <button type="button" className="plain-button" onClick={onBack}>
      Keep it
    </button>
  </div>
);
