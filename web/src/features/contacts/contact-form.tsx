import { CONTACT_ROLES } from "@app/shared/contact-roles";
import { CONTACT_ROLE_NAMES, REFERRER_CODE_NAMES } from "@app/shared/contact-words";
import { CONTACT_NOTES_MAX_LENGTH, type CreateContact, createContactSchema } from "@app/shared/contacts";
import { Button, MultiSelect, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import type { RefObject } from "react";
import { Form, useServerForm } from "../../core/form.tsx";
import { validateWith } from "../../core/validate.ts";
import { optionsOf } from "../cases/case-words.ts";
import { ReachFields } from "../people/reach-fields.tsx";
import "../../ui/form-grid.css";
import "./contacts.css";

export const EMPTY_CONTACT: CreateContact = {
  roles: ["solicitor"],
  title: "",
  firstName: "",
  lastName: "",
  organisation: "",
  email: "",
  phones: [{ type: "work", number: "", isPreferred: true }],
  address: { lines: ["", ""], postcode: "", country: "" },
  reference: "",
  referrerCode: "",
  notes: "",
};

/** Rows that were left empty on the screen are not part of the contact. */
const withoutEmptyRows = (contact: CreateContact): CreateContact => ({
  ...contact,
  phones: contact.phones.filter(({ number }) => number.trim() !== ""),
  address: { ...contact.address, lines: contact.address.lines.filter((line) => line.trim() !== "") },
});

const validate = validateWith(createContactSchema);

type ContactFormState = ReturnType<typeof useServerForm<CreateContact>>;

interface Props {
  initialValues: CreateContact;
  submitLabel: string;
  /** Saves; a rejection shows at the fields, and the person stays. */
  onSubmit: (contact: CreateContact, id: string) => Promise<void>;
  onCancel: () => void;
  /** Set before leaving with everything saved, so that nobody is warned of losing it. */
  isSaved: RefObject<boolean>;
}

/** Everything that is known of a contact; used to add one and to change one. */
export function ContactForm({ initialValues, submitLabel, onSubmit, onCancel, isSaved }: Props) {
  const form = useServerForm<CreateContact>({
    initialValues,
    validate: (values) => validate(withoutEmptyRows(values)),
    submit: (values, id) => onSubmit(withoutEmptyRows(values), id),
  });
  useBlocker({
    shouldBlockFn: () =>
      !isSaved.current && form.isDirty() && !window.confirm("Leave without saving? What you typed here would be lost."),
    enableBeforeUnload: () => form.isDirty(),
  });
  return (
    <Form form={form} label="Contact">
      <WhoFields form={form} />
      <ReachSection form={form} />
      <div className="form-foot">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={form.isSaving}>
          {submitLabel}
        </Button>
      </div>
    </Form>
  );
}

function WhoFields({ form }: { form: ContactFormState }) {
  const { roles } = form.values;
  const choose = (chosen: string[]) =>
    form.setFieldValue(
      "roles",
      CONTACT_ROLES.filter((role) => chosen.includes(role)),
    );
  return (
    <div className="form-grid">
      <MultiSelect
        className="form-grid-whole contact-roles"
        label="Role"
        description="One or more"
        data={optionsOf(CONTACT_ROLE_NAMES)}
        value={roles}
        onChange={choose}
        error={form.errors["roles"]}
      />
      <TextInput
        label="First name (optional)"
        autoComplete="off"
        data-autofocus
        autoFocus
        {...form.field("firstName")}
      />
      <TextInput label="Last name" autoComplete="off" {...form.field("lastName")} />
      <TextInput label="Organisation (enough without a name)" autoComplete="off" {...form.field("organisation")} />
      <TextInput label="Title (optional)" autoComplete="off" {...form.field("title")} />
    </div>
  );
}

function ReachSection({ form }: { form: ContactFormState }) {
  return (
    <div className="form-grid">
      <ReachFields form={form} />
      <TextInput label="Reference (optional)" autoComplete="off" {...form.field("reference")} />
      <NativeSelect
        label="Refers as (optional)"
        data={[{ value: "", label: "Does not refer" }, ...optionsOf(REFERRER_CODE_NAMES)]}
        {...form.field("referrerCode")}
      />
      <Textarea
        className="form-grid-whole"
        label="Notes (optional)"
        description="For the practice only; nothing that belongs to one case"
        autosize
        minRows={3}
        maxLength={CONTACT_NOTES_MAX_LENGTH}
        {...form.field("notes")}
      />
    </div>
  );
}
