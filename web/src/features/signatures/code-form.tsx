import { SIGNING_CODE_DIGITS } from "@app/shared/signing-limits";
import { Button } from "@mantine/core";
import { type SyntheticEvent, useId, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { messageOf } from "../../core/errors.ts";
import { FormFailure } from "../../ui/form-failure.tsx";

interface Props {
  token: string;
  onProof: (proof: string) => void;
}

/** Asked before anything of the document is shown: the code that the practice gave by phone. */
export function CodeForm({ token, onProof }: Props) {
  const [code, setCode] = useState("");
  const [failure, setFailure] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const codeId = useId();
  async function prove(event: SyntheticEvent) {
    event.preventDefault();
    if (code.replaceAll(/\D/g, "").length !== SIGNING_CODE_DIGITS)
      return setFailure(`Type the ${SIGNING_CODE_DIGITS} digits that we gave you by phone.`);
    setIsBusy(true);
    setFailure("");
    try {
      onProof((await apiClient.signatures.signing.prove.mutate({ token, code })).proof);
    } catch (error) {
      setFailure(messageOf(error));
      setIsBusy(false);
    }
  }
  return (
    <>
      <h1 className="plain-title">A document for you</h1>
      <p className="plain-text">Type the code that we gave you by phone. Then you can read the document.</p>
      <form className="sign-form" noValidate onSubmit={(event) => void prove(event)}>
        <label className="sign-label" htmlFor={codeId}>
          Code of {SIGNING_CODE_DIGITS} digits
        </label>
        <input
          id={codeId}
          className="sign-name sign-code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
          value={code}
          onChange={({ currentTarget }) => {
            setFailure("");
            setCode(currentTarget.value);
          }}
        />
        {failure && <FormFailure>{failure}</FormFailure>}
        <div className="sign-actions">
          <Button size="lg" type="submit" loading={isBusy}>
            Go on
          </Button>
        </div>
      </form>
      <p className="plain-small">
        You have no code, or it does not work? Phone us, and we will give you one. Without it nobody can read this
        document, and nothing happens to it.
      </p>
    </>
  );
}
