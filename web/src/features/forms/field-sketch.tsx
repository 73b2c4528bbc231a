// A question in the canvas as people will see it, to look at only.
import type { Field, FieldOption, InnerField } from "@app/shared/form-fields";
import { FORM_PICTURES_ADDRESS, YES_NO_NAMES } from "@app/shared/form-limits";
import { IconPhoto } from "@tabler/icons-react";

const Box = ({ isTall = false }: { isTall?: boolean }) => (
  <div className="sketch-box" data-tall={isTall || undefined} />
);

interface ChoicesProps {
  labels: readonly string[];
  mark: "radio" | "check" | "number";
}

const Choices = ({ labels, mark }: ChoicesProps) => (
  <ul className="sketch-choices">
    {labels.map((label, index) => (
      // Two answers may have the same words while they are typed.
      // oxlint-disable-next-line react/no-array-index-key
      <li key={index}>
        <span className="sketch-mark" data-mark={mark} aria-hidden />
        {label || <em>Answer without words</em>}
      </li>
    ))}
  </ul>
);

const labelsOf = (options: readonly Pick<FieldOption, "label">[]): string[] => options.map(({ label }) => label);
const Note = ({ children }: { children: string }) => <p className="sketch-note">{children}</p>;

export function FieldSketch({ field }: { field: Field | InnerField }) {
  switch (field.type) {
    case "yes_no":
      return (
        <Choices
          mark="radio"
          labels={[YES_NO_NAMES.yes, YES_NO_NAMES.no, ...(field.hasUnsure ? [YES_NO_NAMES.unsure] : [])]}
        />
      );
    case "one_of":
      return field.display === "drop_down" ? (
        <Note>{`Drop-down: ${labelsOf(field.options).filter(Boolean).join(", ")}`}</Note>
      ) : (
        <Choices mark="radio" labels={[...labelsOf(field.options), ...(field.hasOther ? ["Another answer"] : [])]} />
      );
    case "picture_choice":
      return <Pictures options={field.options} />;
    case "any_of":
      return <Choices mark="check" labels={labelsOf(field.options)} />;
    case "ranking":
      return <Choices mark="number" labels={labelsOf(field.options)} />;
    case "matrix":
      return <Note>{`${labelsOf(field.rows).join(", ")}: ${labelsOf(field.columns).join(", ")}`}</Note>;
    case "rating":
      return <Note>{`${field.from} to ${field.to}`}</Note>;
    case "long_text":
      return <Box isTall />;
    case "statement":
      return <Note>{field.text}</Note>;
    case "consent":
      return <Choices mark="check" labels={[field.text]} />;
    case "signature":
      return <Note>{field.text || "Drawn or typed"}</Note>;
    case "file":
      return <Note>{field.atMost === 1 ? "One file" : `Up to ${field.atMost} files`}</Note>;
    case "repeat_group":
      return (
        <Note>{`For each: ${field.fields.map(({ label }) => label || "a question without words").join(", ") || "nothing yet"}`}</Note>
      );
    case "hidden":
      return <Note>{`Nobody is asked: it is taken from “${field.parameter}” in the address`}</Note>;
    case "calculated":
      return <Note>{field.isShown ? "Worked out and shown" : "Worked out, shown to the practice only"}</Note>;
    case "name":
      return <Note>First name and last name</Note>;
    case "address":
      return <Note>Lines, town, postcode and country</Note>;
    case "contact":
      return <Note>Name, relation, email and phone</Note>;
    default:
      return <Box />;
  }
}

const Pictures = ({ options }: { options: Extract<Field, { type: "picture_choice" }>["options"] }) => (
  <div className="sketch-pictures">
    {options.map(({ value, label, pictureId }) => (
      <span key={value}>
        {pictureId ? <img src={`${FORM_PICTURES_ADDRESS}/${pictureId}`} alt="" /> : <IconPhoto size={20} aria-hidden />}
        {label || "Answer"}
      </span>
    ))}
  </div>
);
