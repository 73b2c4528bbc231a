import { CONTACT_ROLES } from "@app/shared/contact-roles";
import { CONTACT_ROLE_NAMES, REFERRER_CODE_NAMES } from "@app/shared/contact-words";
import { CONTACT_NOTES_MAX_LENGTH, type CreateContact } from "@app/shared/contacts";
import { MultiSelect, NativeSelect, Textarea, TextInput } from "@mantine/core";
import type { useServerForm } from "../../core/form.tsx";
import { optionsOf } from "../cases/case-words.ts";
import { ReachFields } from "../people/reach-fields.tsx";
import "../../ui/form-grid.css";
import "./contacts.css";

type ContactForm = ReturnType<typeof useServerForm<CreateContact>>;

/** Everything that is known of a contact; used to add one and to change one. */
export const ContactFields = ({ form }: { form: ContactForm }) => (
  <>
    <WhoFields form={form} />
    <ReachSection form={form} />
  </>
);

function WhoFields({ form }: { form: ContactForm }) {
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

function ReachSection({ form }: { form: ContactForm }) {
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
