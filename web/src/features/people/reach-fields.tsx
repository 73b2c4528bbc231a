import type { CreateClient } from "@app/shared/clients";
import { ActionIcon, Button, Radio, Select, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import "../../ui/form-grid.css";
import "./reach-fields.css";

const PHONES_MAX = 5;
const PHONE_TYPES = [
  { value: "mobile", label: "Mobile" },
  { value: "home", label: "Home" },
  { value: "work", label: "Work" },
];

/** How somebody is reached: by mail, by phone, and where they are. */
export function ReachFields({ form }: { form: ReachForm }) {
  return (
    <>
      <TextInput
        className="form-grid-whole"
        label="Email (optional)"
        type="email"
        autoComplete="off"
        {...form.field("email")}
      />
      <PhoneFields form={form} />
      <TextInput
        className="form-grid-whole"
        label="Address (optional)"
        autoComplete="off"
        {...form.field("address.lines.0")}
      />
      <TextInput
        className="form-grid-whole"
        aria-label="Address, second line"
        autoComplete="off"
        {...form.field("address.lines.1")}
      />
      <TextInput label="Postcode (optional)" autoComplete="off" {...form.field("address.postcode")} />
      <TextInput label="Country (optional)" autoComplete="off" {...form.field("address.country")} />
    </>
  );
}

/** A form with phone numbers in it; that is all that their rows ask for. */
interface PhonesForm {
  values: Pick<CreateClient, "phones">;
  setFieldValue: (key: "phones", phones: CreateClient["phones"]) => void;
  field: (path: `${string}.${string}`) => FieldProps;
}

interface FieldProps {
  value: string;
  onChange: (payload: unknown) => void;
  error: string | undefined;
}

interface ReachForm extends PhonesForm {
  field: (path: "email" | `${string}.${string}`) => FieldProps;
}

function PhoneFields({ form }: { form: PhonesForm }) {
  const { phones } = form.values;
  const change = (next: typeof phones) => form.setFieldValue("phones", next);
  const add = () => change([...phones, { type: "mobile", number: "", isPreferred: phones.length === 0 }]);
  const prefer = (index: number) => change(phones.map((phone, each) => ({ ...phone, isPreferred: each === index })));
  return (
    <>
      {phones.map((phone, index) => (
        // The place in the list is all that tells two empty numbers apart.
        <div key={index} className="form-grid-whole phone-fields">
          <Select
            label={index === 0 ? "Phone (optional)" : undefined}
            aria-label={`Kind of phone ${index + 1}`}
            data={PHONE_TYPES}
            allowDeselect={false}
            {...form.field(`phones.${index}.type`)}
          />
          <TextInput
            type="tel"
            aria-label={`Phone number ${index + 1}`}
            autoComplete="off"
            {...form.field(`phones.${index}.number`)}
          />
          <Radio label="Use first" name="preferred-phone" checked={phone.isPreferred} onChange={() => prefer(index)} />
          <ActionIcon
            variant="subtle"
            aria-label={`Remove phone ${index + 1}`}
            onClick={() => change(phones.filter((_, each) => each !== index))}
          >
            <IconX size={16} stroke={1.7} />
          </ActionIcon>
        </div>
      ))}
      {phones.length < PHONES_MAX && (
        <div className="form-grid-whole">
          <Button variant="subtle" size="xs" leftSection={<IconPlus size={14} stroke={1.7} />} onClick={add}>
            Add a phone number
          </Button>
        </div>
      )}
    </>
  );
}
