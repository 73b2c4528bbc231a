import type { Verified } from "@app/shared/signatures";
import { useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { messageOf } from "../../core/errors.ts";
import { useNeutralTitle } from "../../core/title.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import "./sign-page.css";

const BYTES_MAX = 60 * 1024 * 1024;

/** Says what is known of a PDF by its hash, which the browser computes: the document goes nowhere. */
export function VerifyPage() {
  useNeutralTitle("Check a document");
  const [found, setFound] = useState<{ name: string; verified: Verified } | null>(null);
  const [failure, setFailure] = useState("");
  async function check(file: File) {
    setFound(null);
    setFailure("");
    if (file.size > BYTES_MAX) return setFailure("This file is over 60 MB, larger than any that is signed here.");
    try {
      const hash = hexOf(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
      setFound({ name: file.name, verified: await apiClient.signatures.signing.verify.query({ hash }) });
    } catch (error) {
      setFailure(messageOf(error));
    }
  }
  return (
    <>
      <h1 className="plain-title">Check a signed document</h1>
      <p className="plain-text">
        Choose a PDF that you were given as signed. It stays on your device: only its fingerprint is compared.
      </p>
      <label className="sign-label" htmlFor="verify-file">
        PDF to check
      </label>
      <input
        id="verify-file"
        type="file"
        accept="application/pdf"
        className="sign-name"
        onChange={({ currentTarget }) => currentTarget.files?.[0] && void check(currentTarget.files[0])}
      />
      <div aria-live="polite">
        {failure && <FormFailure>{failure}</FormFailure>}
        {found && <Result {...found} />}
      </div>
    </>
  );
}

const hexOf = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function Result({ name, verified: { is, practiceName, sealedAt, signatures } }: { name: string; verified: Verified }) {
  const on = sealedAt ? new Date(sealedAt).toLocaleString(undefined, { dateStyle: "long", timeStyle: "short" }) : "";
  const who = signatures === 1 ? "one person" : `${signatures} people`;
  const { title, text } = {
    sealed: {
      title: "Genuine and unchanged",
      text: `${practiceName} sealed “${name}” on ${on}, after ${who} had signed it. Not one letter was changed since.`,
    },
    unsigned: {
      title: "Not signed",
      text: `“${name}” was sent out from here to be signed, and this copy bears no signature. Ask for the signed one.`,
    },
    unknown: {
      title: "Not known here",
      text: `“${name}” was changed after it was signed, or was never signed here. Do not rely on it. Ask whoever gave it to you for the original.`,
    },
  }[is];
  return (
    <section className="verify-result" data-is={is}>
      <h2>{title}</h2>
      <p className="plain-text">{text}</p>
    </section>
  );
}
