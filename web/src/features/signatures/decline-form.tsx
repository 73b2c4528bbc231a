import type { SigningPage } from "@app/shared/signatures";
import { Button } from "@mantine/core";
import { useId, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { messageOf } from "../../core/errors.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import type { Visit } from "./document-address.ts";

interface Props {
  visit: Visit;
  onBack: () => void;
  onDone: (page: SigningPage) => void;
}

const putFocus = (field: HTMLElement | null): void => field?.focus();

/** Says no; the reason is for the practice alone. */
export function DeclineForm({ visit, onBack, onDone }: Props) {
  const [reason, setReason] = useState("");
  const [failure, setFailure] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const reasonId = useId();
  async function decline() {
    setIsBusy(true);
    setFailure("");
    try {
      onDone(await apiClient.signatures.signing.decline.mutate({ ...visit, reason }));
    } catch (error) {
      setFailure(messageOf(error));
      setIsBusy(false);
    }
  }
  return (
    <section aria-label="I do not want to sign" className="sign-form">
      <label className="sign-label" htmlFor={reasonId}>
        Why not? (optional; only we read it)
      </label>
      <textarea
        id={reasonId}
        // They asked for it just now.
        ref={putFocus}
        className="sign-name"
        rows={4}
        maxLength={500}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      {failure && <FormFailure>{failure}</FormFailure>}
      <div className="sign-actions">
        <Button size="lg" loading={isBusy} onClick={() => void decline()}>
          Tell the practice that I do not sign
        </Button>
        <button type="button" className="plain-button" onClick={onBack}>
          Back to the document
        </button>
      </div>
    </section>
  );
}
