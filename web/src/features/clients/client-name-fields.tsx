import { TagsInput, Textarea, TextInput } from "@mantine/core";
import type { ClientForm } from "./client-fields.tsx";

const TAGS_MAX = 20;
const SUGGESTED_TAGS = ["children", "finances", "interpreter", "legal aid", "shuttle", "urgent"];

export function ClientNameFields({ form }: { form: ClientForm }) {
  return (
    <div className="form-grid">
      {form.values.kind === "organisation" ? (
        <TextInput
          className="form-grid-whole"
          label="Organisation"
          autoComplete="off"
          {...form.field("organisation")}
        />
      ) : (
        <>
          <TextInput label="First name" autoComplete="off" data-autofocus {...form.field("firstName")} />
          <TextInput label="Last name" autoComplete="off" {...form.field("lastName")} />
          <TextInput label="Known as (optional)" autoComplete="off" {...form.field("knownAs")} />
          <TextInput label="Title (optional)" autoComplete="off" {...form.field("title")} />
          <TextInput label="Date of birth (optional)" type="date" {...form.field("dateOfBirth")} />
        </>
      )}
      <TagsInput label="Tags (optional)" data={SUGGESTED_TAGS} maxTags={TAGS_MAX} clearable {...form.field("tags")} />
      <Textarea
        className="form-grid-whole"
        label="Needs (optional)"
        description="Interpreter, access, anything that makes a meeting possible"
        autosize
        minRows={2}
        {...form.field("needs")}
      />
    </div>
  );
}
