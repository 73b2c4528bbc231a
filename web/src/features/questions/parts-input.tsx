import { partOf } from "@app/shared/form-answers";
import type { Of } from "./question-props.ts";

interface Part {
  name: string;
  label: string;
  autoComplete: string;
  isShort?: true;
  type?: "email" | "tel";
}

const PARTS = {
  name: [
    { name: "first", label: "First name", autoComplete: "given-name" },
    { name: "last", label: "Last name", autoComplete: "family-name" },
  ],
  address: [
    { name: "line1", label: "Address line 1", autoComplete: "address-line1" },
    { name: "line2", label: "Address line 2 (optional)", autoComplete: "address-line2" },
    { name: "town", label: "Town or city", autoComplete: "address-level2" },
    { name: "postcode", label: "Postcode", autoComplete: "postal-code", isShort: true },
    { name: "country", label: "Country (optional)", autoComplete: "country-name" },
  ],
  // Somebody else's, so nothing of whoever types is offered.
  contact: [
    { name: "name", label: "Name", autoComplete: "off" },
    { name: "relation", label: "Who they are to you (optional)", autoComplete: "off" },
    { name: "email", label: "Email (optional)", autoComplete: "off", type: "email" },
    { name: "phone", label: "Phone (optional)", autoComplete: "off", type: "tel" },
  ],
} as const satisfies Record<string, readonly Part[]>;

const MAX_LENGTH = 100;

/** An answer of several parts, each with its own label. */
export function PartsInput({ field, id, answer, problems, describedBy, onAnswer }: Of<"name" | "address" | "contact">) {
  const parts: readonly Part[] = PARTS[field.type];
  const change = (name: string, value: string) => {
    const next = parts.map((part) => [part.name, part.name === name ? value : partOf(answer, part.name)] as const);
    onAnswer(next.every(([, text]) => text === "") ? null : Object.fromEntries(next));
  };
  return parts.map(({ name, label, autoComplete, isShort, type = "text" }, index) => (
    <label key={name} className="form-part" data-short={isShort}>
      <span>{label}</span>
      {problems[name] && <span className="form-error">{problems[name]}</span>}
      <input
        id={index === 0 ? id : undefined}
        className="form-input"
        type={type}
        autoComplete={autoComplete}
        maxLength={MAX_LENGTH}
        value={partOf(answer, name)}
        aria-describedby={describedBy}
        aria-invalid={Boolean(problems[name] ?? problems[""]) || undefined}
        onChange={({ currentTarget }) => change(name, currentTarget.value)}
      />
    </label>
  ));
}
