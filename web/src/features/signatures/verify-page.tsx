import type { Verified } from "@app/shared/signatures";
import { IconAlertTriangle, IconCircleCheckFilled, IconHelpCircle, IconInfoCircle } from "@tabler/icons-react";
import { useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { messageOf } from "../../core/errors.ts";
import { useNeutralTitle } from "../../core/title.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import { hashOf, sealsOf } from "./seals-of.ts";
import "./sign-form.css";
import "./sign-page.css";

const BYTES_MAX = 60 * 1024 * 1024;

/** Says what is known of a PDF by its hash and those of its seals, which the browser computes: the document goes nowhere. */
export function VerifyPage() {
  useNeutralTitle("Check a document");
  const [found, setFound] = useState<{ name: string; verified: Verified } | null>(null);
  const [failure, setFailure] = useState("");
  async function check(file: File) {
    setFound(null);
    setFailure("");
    if (file.size > BYTES_MAX) return setFailure("This file is over 60 MB, larger than any that is signed here.");
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (!isPdf(bytes)) return setFailure(`“${file.name}” is no PDF. Choose the PDF that you were given as signed.`);
      const asked = { hash: await hashOf(bytes), seals: await sealsOf(bytes) };
      setFound({ name: file.name, verified: await apiClient.signatures.signing.verify.query(asked) });
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

/** Readers take a PDF that begins within its first kilobyte. */
const isPdf = (bytes: Uint8Array): boolean =>
  new TextDecoder("latin1").decode(bytes.subarray(0, 1024)).includes("%PDF-");

const SEALED_AT = {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
} as const;

const ICONS = {
  sealed: IconCircleCheckFilled,
  changed: IconAlertTriangle,
  unsigned: IconInfoCircle,
  unknown: IconHelpCircle,
};

function Result({ name, verified: { is, practiceName, sealedAt, signatures } }: { name: string; verified: Verified }) {
  const on = sealedAt ? new Date(sealedAt).toLocaleString(undefined, SEALED_AT) : "";
  const who = signatures === 1 ? "one person" : `${signatures} people`;
  const { title, text } = {
    sealed: {
      title: "Genuine and unchanged",
      text: `${practiceName} sealed “${name}” on ${on}, after ${who} had signed it. Nothing in it has been changed since.`,
    },
    changed: {
      title: "Changed after it was sealed",
      text: `“${name}” bears the seal of ${practiceName} of ${on}, and is not what was sealed: something in it was changed or added since. Do not rely on it. Ask ${practiceName} for the signed document.`,
    },
    unsigned: {
      title: "Not signed",
      text: `“${name}” was sent out from here to be signed, and this copy bears no signature. Ask for the signed one.`,
    },
    unknown: {
      title: "Not known here",
      text: `“${name}” bears no seal from here that is known. It was never signed here, or so changed that nothing of its seal is left. Do not rely on it. Ask whoever gave it to you for the original.`,
    },
  }[is];
  const Icon = ICONS[is];
  return (
    <section className="verify-result" data-is={is}>
      <h2>
        <Icon size={22} stroke={1.7} aria-hidden /> {title}
      </h2>
      <p className="plain-text">{text}</p>
    </section>
  );
}
