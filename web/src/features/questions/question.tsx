import type { AskedField, InnerField } from "@app/shared/form-fields";
import { lazy, type ReactNode, Suspense } from "react";
import { ChoiceInput, ManyInput } from "./choice-inputs.tsx";
import { KINDS } from "./rare-kinds.ts";
import type { QuestionProps } from "./question-props.ts";
import { AmountInput } from "./amount-input.tsx";
import { DayInput } from "./day-input.tsx";
import { LineInput } from "./line-input.tsx";
import { PartsInput } from "./parts-input.tsx";

// What few forms ask comes when it is asked.
const MatrixInput = lazy(async () => ({ default: (await KINDS.choices()).MatrixInput }));
const RankingInput = lazy(async () => ({ default: (await KINDS.choices()).RankingInput }));
const PictureInput = lazy(async () => ({ default: (await KINDS.choices()).PictureInput }));
const SignatureInput = lazy(async () => ({ default: (await KINDS.signature()).SignatureInput }));
const FileInput = lazy(async () => ({ default: (await KINDS.file()).FileInput }));
const RepeatGroup = lazy(async () => ({ default: (await KINDS.group()).RepeatGroup }));

type Props = Omit<QuestionProps, "describedBy">;

/** Of several elements, which a label cannot be of. */
const GROUPS: ReadonlySet<AskedField["type"]> = new Set([
  "date",
  "birth_date",
  "date_time",
  "name",
  "address",
  "contact",
  "yes_no",
  "one_of",
  "any_of",
  "picture_choice",
  "rating",
  "matrix",
  "ranking",
  "consent",
  "signature",
  "file",
  "repeat_group",
]);

const isGroup = (field: AskedField | InnerField): boolean =>
  GROUPS.has(field.type) && !(field.type === "one_of" && field.display === "drop_down");

/** One question with its help, what is wrong with the answer, and the way to answer it. */
export function Question(props: Props) {
  const { field, id, isRequired, problems } = props;
  const problem = problems[""];
  const helpId = field.help ? `${id}-help` : undefined;
  const errorId = problem ? `${id}-error` : undefined;
  const describedBy = [helpId, errorId].filter(Boolean).join(" ") || undefined;
  const label = (
    <>
      {field.label}
      {!isRequired && field.type !== "consent" && <span className="form-optional"> (optional)</span>}
    </>
  );
  const inside = (
    <>
      {field.help && (
        <p id={helpId} className="form-help">
          {field.help}
        </p>
      )}
      {problem && (
        <p id={errorId} className="form-error">
          {problem}
        </p>
      )}
      <Suspense fallback={<p className="form-help">Loading…</p>}>
        <Input {...props} describedBy={describedBy} />
      </Suspense>
    </>
  );
  return (
    <Frame
      id={id}
      isGroup={isGroup(field)}
      isWrong={Object.keys(problems).length > 0}
      label={label}
      describedBy={describedBy}
    >
      {inside}
    </Frame>
  );
}

interface FrameProps {
  id: string;
  isGroup: boolean;
  isWrong: boolean;
  label: ReactNode;
  describedBy: string | undefined;
  children: ReactNode;
}

function Frame({ id, isGroup: isOfSeveral, isWrong, label, describedBy, children }: FrameProps) {
  const wrong = isWrong || undefined;
  if (!isOfSeveral)
    return (
      <div className="form-question" data-wrong={wrong} id={`${id}-question`}>
        <label className="form-label" htmlFor={id}>
          {label}
        </label>
        {children}
      </div>
    );
  return (
    <fieldset
      className="form-question"
      data-wrong={wrong}
      id={`${id}-question`}
      tabIndex={-1}
      aria-describedby={describedBy}
    >
      <legend className="form-label">{label}</legend>
      {children}
    </fieldset>
  );
}

function Input(props: QuestionProps): ReactNode {
  const { field } = props;
  switch (field.type) {
    case "short_text":
    case "long_text":
    case "email":
    case "phone":
    case "time":
      return <LineInput {...props} field={field} />;
    case "number":
    case "money":
      return <AmountInput {...props} field={field} />;
    case "date":
    case "birth_date":
    case "date_time":
      return <DayInput {...props} field={field} />;
    case "name":
    case "address":
    case "contact":
      return <PartsInput {...props} field={field} />;
    case "yes_no":
    case "one_of":
    case "rating":
      return <ChoiceInput {...props} field={field} />;
    case "any_of":
    case "consent":
      return <ManyInput {...props} field={field} />;
    default:
      return <RareInput {...props} field={field} />;
  }
}

type RareField = Extract<
  AskedField,
  { type: "picture_choice" | "matrix" | "ranking" | "signature" | "file" | "repeat_group" }
>;

function RareInput(props: QuestionProps & { field: RareField }): ReactNode {
  const { field } = props;
  switch (field.type) {
    case "picture_choice":
      return <PictureInput {...props} field={field} />;
    case "matrix":
      return <MatrixInput {...props} field={field} />;
    case "ranking":
      return <RankingInput {...props} field={field} />;
    case "signature":
      return <SignatureInput {...props} field={field} />;
    case "file":
      return <FileInput {...props} field={field} />;
    default:
      return <RepeatGroup {...props} field={field} Question={Question} />;
  }
}
