import type { ChangeEvent } from "react";
import "./check-field.css";

interface Props {
  label: string;
  checked: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** The browser's own check box, large enough for a thumb; for public pages, which load as little as they can. */
export function CheckField({ label, checked, onChange }: Props) {
  return (
    <label className="check-field">
      <input type="checkbox" checked={checked} onChange={onChange} />
      {label}
    </label>
  );
}
