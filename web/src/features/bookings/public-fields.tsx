// Fields of the public pages: large, with labels above and errors below; free of the staff's components.
import { type ChangeEvent, type ReactNode, useId } from "react";

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  isOptional?: boolean;
  type?: "text" | "email" | "tel";
  autoComplete?: string;
  isLong?: boolean;
  /** How many characters it takes: said where the text may be long. */
  longest?: number;
}

export function PublicField({ type = "text", autoComplete, isLong, longest, ...props }: Props) {
  const { label, value, onChange, error, isOptional } = props;
  const id = useId();
  const limit = isLong ? longest : undefined;
  const describedBy = [limit !== undefined && `${id}-limit`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(" ");
  const shared = {
    id,
    value,
    className: "booking-input",
    "aria-invalid": error !== undefined,
    "aria-describedby": describedBy || undefined,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(event.currentTarget.value),
  };
  return (
    <Labelled id={id} label={label} error={error} isOptional={isOptional}>
      {isLong ? <textarea rows={4} {...shared} /> : <input type={type} autoComplete={autoComplete} {...shared} />}
      {limit !== undefined && (
        <p id={`${id}-limit`} className="booking-limit">
          {value.trim().length} of at most {limit} characters
        </p>
      )}
    </Labelled>
  );
}

interface LabelledProps extends Pick<Props, "label" | "error"> {
  id: string;
  isOptional: boolean | undefined;
  children: ReactNode;
}

function Labelled({ id, label, error, isOptional, children }: LabelledProps) {
  return (
    <div className="booking-field">
      <label htmlFor={id}>
        {label}
        {isOptional && <span className="booking-optional"> (optional)</span>}
      </label>
      {children}
      {error !== undefined && (
        <p id={`${id}-error`} className="booking-error">
          {error}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  choices: readonly { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** One of a few, each as large as a thumb; nothing is chosen beforehand. */
export function PublicChoice({ label, choices, value, onChange, error }: ChoiceProps) {
  const name = useId();
  return (
    <fieldset className="booking-choices">
      <legend>{label}</legend>
      <div className="booking-choice-row">
        {choices.map((choice) => (
          <label key={choice.value} className="booking-choice" data-chosen={choice.value === value || undefined}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              aria-invalid={error !== undefined}
            />
            {choice.label}
          </label>
        ))}
      </div>
      {error !== undefined && <p className="booking-error">{error}</p>}
    </fieldset>
  );
}
