import type { Register } from "@app/shared/auth";
import { MEDIATOR_TYPES, REGIONS } from "@app/shared/regions";
import { NativeSelect, TextInput } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
import type { useServerForm } from "../../core/form.tsx";
import { Facts } from "../../ui/facts.tsx";

export const EMPTY_REGISTRATION: Register = {
  firstName: "",
  lastName: "",
  email: "",
  password: "",
  practiceName: "",
  region: "england_wales",
  mediatorType: "family",
};

export type RegistrationForm = ReturnType<typeof useServerForm<Register>>;

export const REGION_OPTIONS = Object.entries(REGIONS).map(([value, { label }]) => ({ value, label }));
export const MEDIATOR_TYPE_OPTIONS = Object.entries(MEDIATOR_TYPES).map(([value, label]) => ({ value, label }));

const CURRENCY_NAMES = { GBP: "Pound sterling", EUR: "Euro", USD: "US dollar" } as const;

/** What a practice is, and at once what each answer decides. */
export function PracticeFields({ form }: { form: RegistrationForm }) {
  return (
    <>
      <TextInput label="Practice name" size="md" autoComplete="organization" {...form.field("practiceName")} />
      <div className="login-pair">
        <NativeSelect
          label="Where do you mediate?"
          description="Sets currency, time zone and legal aid"
          size="md"
          data={REGION_OPTIONS}
          rightSection={<IconSelector size={16} stroke={1.7} aria-hidden />}
          {...form.field("region")}
        />
        <NativeSelect
          label="What do you mediate?"
          description="Sets meeting types and templates"
          size="md"
          data={MEDIATOR_TYPE_OPTIONS}
          rightSection={<IconSelector size={16} stroke={1.7} aria-hidden />}
          {...form.field("mediatorType")}
        />
      </div>
      <div className="login-rule">
        <RegionFacts region={form.values.region} />
      </div>
    </>
  );
}

export function RegionFacts({ region }: { region: Register["region"] }) {
  const { currency, timeZone, legalAid } = REGIONS[region];
  return (
    <Facts
      facts={[
        { label: "Currency", value: `${CURRENCY_NAMES[currency]} (${currency})` },
        { label: "Time zone", value: timeZone },
        { label: "Legal aid", value: legalAid },
      ]}
    />
  );
}
