import type { Payer } from "@app/shared/payer-shares";
import { payerKeyOf } from "@app/shared/payer-shares";
import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { ContactSelect } from "../contacts/contact-select.tsx";
import type { PayerChoice } from "./payer-choices.ts";
import { readersWords } from "./invoice-words.ts";

interface Props {
  choices: readonly PayerChoice[];
  value: Payer | null;
  error: string | undefined;
  onChange: (payer: Payer | null) => void;
}

const ANOTHER = "another";

/** Who pays, and so who sees the invoice: nobody is chosen before somebody does. */
export function PayerField({ choices, value, error, onChange }: Props) {
  const known = choices.find(({ key }) => value !== null && key === payerKeyOf(value));
  const [isAnother, setIsAnother] = useState(value !== null && !known);
  const choose = (key: string) => {
    setIsAnother(key === ANOTHER);
    onChange(choices.find((choice) => choice.key === key)?.payer ?? null);
  };
  return (
    <>
      <NativeSelect
        label="Who pays"
        description={known ? readersWords({ payer: known.payer, payerName: known.name }) : "An invoice has one payer"}
        data={[
          { value: "", label: "Choose" },
          ...choices.map(({ key, name, label }) => ({ value: key, label: label ? `${name} (${label})` : name })),
          { value: ANOTHER, label: "Another contact…" },
        ]}
        value={isAnother ? ANOTHER : (known?.key ?? "")}
        error={isAnother ? undefined : error}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {isAnother && (
        <ContactSelect
          value={value?.kind === "contact" ? value.contactId : ""}
          error={error}
          onChange={(contact) => onChange(contact && { kind: "contact", contactId: contact.id })}
        />
      )}
    </>
  );
}
