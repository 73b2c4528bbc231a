import type { SigningPage } from "@app/shared/signatures";
import { useEffect, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { codeOf, messageOf } from "../../core/errors.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import { DeadLink } from "../shell/dead-link.tsx";
import { FormFrame } from "../submissions/form-frame.tsx";
import { CodeForm } from "./code-form.tsx";
import { ReadAndSign } from "./read-and-sign.tsx";
import { SigningState } from "./signing-state.tsx";
import "./sign-form.css";
import "./sign-page.css";

type Found = { page: SigningPage; isNew: boolean } | { failure: string } | "dead" | null;

/** What somebody's link opens who is to sign a document: the document, and nothing of anybody else. */
export function SignPage({ token }: { token: string }) {
  const [found, setFound] = useState<Found>(null);
  const [round, setRound] = useState(0);
  const [proof, setProof] = useState("");
  useEffect(() => {
    let isLeft = false;
    apiClient.signatures.signing.open.mutate({ token, proof }).then(
      (page) => isLeft || setFound({ page, isNew: false }),
      (error: unknown) => isLeft || setFound(isDead(error) ? "dead" : { failure: messageOf(error) }),
    );
    return () => {
      isLeft = true;
    };
  }, [token, proof, round]);
  if (found === null) return <p className="plain-text">One moment</p>;
  if (found === "dead") return <DeadLink />;
  if ("failure" in found)
    return (
      <>
        <FormFailure>{found.failure}</FormFailure>
        <button type="button" className="plain-button" onClick={() => setRound((before) => before + 1)}>
          Try again
        </button>
      </>
    );
  const { page, isNew } = found;
  const visit = { token, proof };
  return (
    <FormFrame practiceName={page.practiceName} done={null} title="Document">
      {page.state === "code" && <CodeForm token={token} onProof={setProof} />}
      {page.state === "open" && (
        <ReadAndSign
          visit={visit}
          page={page}
          isNew={proof !== ""}
          onDone={(next) => setFound({ page: next, isNew: true })}
        />
      )}
      <SigningState visit={visit} page={page} isNew={isNew} />
    </FormFrame>
  );
}

// What is no such secret at all is refused before it is looked for.
const isDead = (error: unknown): boolean => ["NOT_FOUND", "BAD_REQUEST"].includes(codeOf(error) ?? "");
