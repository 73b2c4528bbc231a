import { givesReceipt } from "@app/shared/form-content";
import { HELP_MAX_LENGTH, LABEL_MAX_LENGTH, SENSITIVITIES, SENSITIVITY_NAMES } from "@app/shared/form-limits";
import { FORM_NAME_MAX_LENGTH } from "@app/shared/forms";
import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useBuilderContext } from "./builder-context.ts";
import { PeopleFillingIn } from "./people-filling-in.tsx";
import { LinesField } from "./lines-field.tsx";

/** What the form as a whole says. */
export function FormFields() {
  const { form, saved, content, edit } = useBuilderContext();
  const { title, thanks, readers } = content;
  return (
    <div className="inspector-fields">
      <TextInput
        label="Name"
        description="For the practice only"
        maxLength={FORM_NAME_MAX_LENGTH}
        value={saved.draft.name}
        error={saved.draft.name.trim() === "" && "Give the form a name"}
        onChange={({ currentTarget: { value } }) => saved.edit((draft) => ({ ...draft, name: value }), "name")}
      />
      <TextInput
        label="Title"
        description="What people read on top of it"
        maxLength={LABEL_MAX_LENGTH}
        value={title}
        onChange={({ currentTarget: { value } }) => edit((all) => ({ ...all, title: value }), "title")}
      />
      <NativeSelect
        label="Who reads answers, unless a question says otherwise"
        description="No other party ever reads them"
        data={[
          { value: "", label: "Choose" },
          ...SENSITIVITIES.map((value) => ({ value, label: SENSITIVITY_NAMES[value] })),
        ]}
        value={readers ?? ""}
        onChange={({ currentTarget: { value } }) => {
          const chosen = SENSITIVITIES.find((one) => one === value) ?? null;
          edit((all) => ({ ...all, readers: chosen }));
        }}
      />
      <TextInput
        label="Once it was sent"
        description="The heading, such as “Thank you”"
        maxLength={LABEL_MAX_LENGTH}
        value={thanks.title}
        onChange={({ currentTarget: { value } }) =>
          edit((all) => ({ ...all, thanks: { ...all.thanks, title: value } }), "thanks.title")
        }
      />
      <LinesField
        label="What happens next"
        description="Who reads the answers, and when they hear from you"
        maxLength={HELP_MAX_LENGTH}
        value={thanks.text}
        onChange={(text) => edit((all) => ({ ...all, thanks: { ...all.thanks, text } }), "thanks.text")}
      />
      <ReceiptField />
      <PeopleFillingIn form={form} />
    </div>
  );
}

/** Of questions about safety a copy on somebody's phone may put them in danger. */
function ReceiptField() {
  const { form, content, edit } = useBuilderContext();
  return (
    <Checkbox
      label="Offer people their answers to keep"
      description="As a PDF, on the page that thanks them, with an email that they arrived. Others who use the same phone may find the file."
      checked={givesReceipt(content, form.kind)}
      onChange={({ currentTarget: { checked } }) => edit((all) => ({ ...all, receipt: checked }))}
    />
  );
}
