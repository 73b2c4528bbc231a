import type { MailsTo } from "@app/shared/submission-limits";
import { Button } from "@mantine/core";
import { type SubmitEvent, useId, useRef, useState } from "react";
import { fieldErrorsOf, messageOf } from "../../core/errors.ts";
import { makeId } from "../../core/new-id.ts";

export interface ToSelf {
  changeId: string;
  email: string | null;
}

interface Props {
  mailsTo: MailsTo;
  /** What the button says. */
  label: string;
  send: (to: ToSelf) => Promise<unknown>;
}

/** A mail that somebody asks for: to the address that the practice has of them, or to one that they type. */
export function MailToSelf({ mailsTo, label, send }: Props) {
  const [email, setEmail] = useState("");
  const [error, setError] = useState("");
  const [isSending, setIsSending] = useState(false);
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const change = useRef({ id: makeId(), email: "" });
  if (mailsTo === "none") return null;

  const ask = async (event: SubmitEvent) => {
    event.preventDefault();
    // The same try again is the same mail; to another address it is another one.
    if (change.current.email !== email) change.current = { id: makeId(), email };
    setIsSending(true);
    setError("");
    try {
      await send({ changeId: change.current.id, email: mailsTo === "typed" ? email : null });
      setAskedFor(email);
    } catch (failure) {
      setError(fieldErrorsOf(failure)["email"] ?? messageOf(failure));
    } finally {
      setIsSending(false);
    }
  };
  if (askedFor !== null) return <AskedFor email={askedFor} />;
  return (
    <form noValidate className="form-mail" onSubmit={(event) => void ask(event)}>
      {mailsTo === "typed" && <Address value={email} onChange={setEmail} error={error} />}
      {mailsTo === "own" && error && (
        <p className="form-error" role="alert">
          {error}
        </p>
      )}
      <Button type="submit" variant="default" size="lg" fullWidth loading={isSending}>
        {label}
      </Button>
    </form>
  );
}

function AskedFor({ email }: { email: string }) {
  return (
    <p role="status" className="form-asked">
      {email === ""
        ? "It goes to the email address that we have for you. If it does not come within a few minutes, look in your spam folder, or phone us."
        : `It goes to ${email}, if we can send there. If it does not come within a few minutes, look in your spam folder.`}
    </p>
  );
}

interface AddressProps {
  value: string;
  onChange: (value: string) => void;
  error: string;
}

function Address({ value, onChange, error }: AddressProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="form-mail-label">
        Your email address
      </label>
      <p id={`${id}-help`} className="form-help">
        Only one that nobody else reads.
      </p>
      <input
        id={id}
        type="email"
        autoComplete="off"
        className="form-input"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        aria-invalid={error !== ""}
        aria-describedby={error ? `${id}-help ${id}-error` : `${id}-help`}
      />
      {error && (
        <p id={`${id}-error`} className="form-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
