import type { FormPage } from "@app/shared/form-content";
import type { Field } from "@app/shared/form-fields";
import { FIELD_TYPE_NAMES, SENSITIVITY_NAMES } from "@app/shared/form-limits";
import { fieldRules, questionName } from "@app/shared/form-words";
import { IconArrowRampRight3, IconLock } from "@tabler/icons-react";
import type { KeyboardEvent } from "react";
import { flushSync } from "react-dom";
import { questionElementId, useBuilderContext } from "./builder-context.ts";
import { CanvasFieldTools } from "./canvas-field-tools.tsx";
import { FieldSketch } from "./field-sketch.tsx";
import { moveField } from "./field-edits.ts";
import { SaidRule } from "./said-rule.tsx";

interface Props {
  field: Field;
  index: number;
  page: FormPage;
}

/** One question as it will look; its button selects it, and moves it with Alt and the arrows. */
export function CanvasField({ field, index, page }: Props) {
  const { content, selection, select, setPane, problems } = useBuilderContext();
  const isSelected = selection.fieldId === field.id;
  const needsRows = field.type === "repeat_group" && field.atLeast > 0;
  const isOptional = "isRequired" in field && !field.isRequired && !needsRows;
  const isWrong = problems.some(({ fieldId }) => fieldId === field.id);
  const keys = useFieldKeys(field, page);
  const readers = "sensitivity" in field ? (field.sensitivity ?? content.readers) : null;
  return (
    <li className="canvas-field" data-selected={isSelected || undefined} data-wrong={isWrong || undefined}>
      <div className="canvas-field-line">
        <span className="canvas-field-number" aria-hidden>
          {index + 1}
        </span>
        <button
          id={questionElementId(field.id)}
          type="button"
          className="canvas-field-open"
          aria-pressed={isSelected}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete"
          onClick={() => {
            select({ fieldId: field.id });
            setPane("settings");
          }}
          onKeyDown={keys}
        >
          {questionName(field)}
          {isOptional && <span className="canvas-field-optional"> (optional)</span>}
          {isWrong && <span className="visually-hidden">, needs putting right</span>}
        </button>
        {readers && readers !== "practice" && (
          <span className="canvas-readers">
            <IconLock size={14} stroke={1.7} aria-hidden /> {SENSITIVITY_NAMES[readers]}
          </span>
        )}
        <span className="canvas-field-type">{FIELD_TYPE_NAMES[field.type]}</span>
      </div>
      <div className="canvas-field-body">
        {"help" in field && field.help && <p className="canvas-help">{field.help}</p>}
        <FieldSketch field={field} />
        {fieldRules(content, page, field).map(({ kind, words }) => (
          <p key={kind} className="canvas-rule">
            <IconArrowRampRight3 size={14} stroke={1.7} aria-hidden />
            <span>
              <SaidRule words={words} />
            </span>
          </p>
        ))}
      </div>
      {isSelected && <CanvasFieldTools field={field} />}
    </li>
  );
}

const BY = { ArrowUp: -1, ArrowDown: 1 } as const;

/** Arrows go from question to question, with Alt they move it; Delete takes it out. */
function useFieldKeys(field: Field, page: FormPage) {
  const { edit, remove, isReadOnly } = useBuilderContext();
  const focus = (fieldId: string | undefined) => document.getElementById(questionElementId(fieldId ?? ""))?.focus();
  return (event: KeyboardEvent) => {
    if (event.key === "Delete" && !isReadOnly) {
      event.preventDefault();
      remove(field.id);
    }
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    const by = BY[event.key];
    if (!event.altKey) return focus(page.fields[page.fields.indexOf(field) + by]?.id);
    if (isReadOnly) return;
    flushSync(() => edit((form) => moveField(form, field.id, by)));
    focus(field.id);
  };
}
