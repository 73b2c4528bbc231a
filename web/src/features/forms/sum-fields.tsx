import type { FormContent } from "@app/shared/form-content";
import type { Field, Term } from "@app/shared/form-fields";
import { TERMS_MAX } from "@app/shared/form-limits";
import { questionName } from "@app/shared/form-words";
import { ActionIcon, NativeSelect, Switch } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useBuilderContext } from "./builder-context.ts";
import type { ChangeProps } from "./reader-fields.tsx";

type Sum = Extract<Field, { type: "calculated" }>;

interface Source {
  value: string;
  label: string;
  term: Omit<Term, "sign">;
}

const isNumber = ({ type }: Field) => type === "number" || type === "money" || type === "rating";
const counts = (field: Field) =>
  isNumber(field) || field.type === "calculated" || field.type === "matrix" || "options" in field;

/** Whatever counts something: numbers, what choices score, columns and rows of repeat groups. */
const sourcesIn = ({ pages }: FormContent, sum: Sum): Source[] =>
  pages
    .flatMap(({ fields }) => fields)
    .filter(({ id }) => id !== sum.id)
    .flatMap((field): Source[] => {
      const own = { value: field.id, label: questionName(field), term: { fieldId: field.id, columnId: null } };
      if (field.type !== "repeat_group") return counts(field) ? [own] : [];
      const columns = field.fields.filter(counts).map((inner) => ({
        value: `${field.id}.${inner.id}`,
        label: `${questionName(field)}: ${questionName(inner)}`,
        term: { fieldId: field.id, columnId: inner.id },
      }));
      return [{ ...own, label: `${own.label}: how many` }, ...columns];
    });

const keyOf = ({ fieldId, columnId }: Omit<Term, "sign">): string => (columnId ? `${fieldId}.${columnId}` : fieldId);

/** What a calculated value adds up. */
export function SumFields({ field, change }: ChangeProps<Sum>) {
  const { content } = useBuilderContext();
  const sources = sourcesIn(content, field);
  const set = (part: Partial<Pick<Sum, "terms" | "unit" | "isShown">>) =>
    change((one) => (one.type === "calculated" ? { ...one, ...part } : one), null);
  const { terms } = field;
  return (
    <div role="group" aria-label="What it adds up" className="answer-list">
      <div className="rule-title">What it adds up</div>
      {terms.map((term, index) => (
        <TermRow
          key={`${keyOf(term)} ${term.sign}`}
          term={term}
          name={sources.find(({ value }) => value === keyOf(term))?.label ?? "An answer that is not there any more"}
          onSign={(sign) => set({ terms: terms.with(index, { ...term, sign }) })}
          onRemove={() => set({ terms: terms.toSpliced(index, 1) })}
        />
      ))}
      {terms.length < TERMS_MAX && (
        <AddTerm sources={sources} terms={terms} onAdd={(term) => set({ terms: [...terms, term] })} />
      )}
      <NativeSelect
        label="It comes to"
        data={[
          { value: "number", label: "A number" },
          { value: "money", label: "An amount of money" },
        ]}
        value={field.unit}
        onChange={({ currentTarget: { value } }) => set({ unit: value === "money" ? "money" : "number" })}
      />
      <Switch
        label="People see it while they fill in"
        checked={field.isShown}
        onChange={({ currentTarget: { checked } }) => set({ isShown: checked })}
      />
    </div>
  );
}

interface TermRowProps {
  term: Term;
  name: string;
  onSign: (sign: Term["sign"]) => void;
  onRemove: () => void;
}

const TermRow = ({ term, name, onSign, onRemove }: TermRowProps) => (
  <div className="answer-row">
    <NativeSelect
      size="xs"
      aria-label={`${name}: added or taken off`}
      data={[
        { value: "plus", label: "+" },
        { value: "minus", label: "−" },
      ]}
      value={term.sign}
      onChange={({ currentTarget: { value } }) => onSign(value === "minus" ? "minus" : "plus")}
    />
    <span className="sum-term">{name}</span>
    <ActionIcon variant="subtle" color="gray" aria-label={`Take ${name} out`} onClick={onRemove}>
      <IconTrash size={14} stroke={1.7} aria-hidden />
    </ActionIcon>
  </div>
);

interface AddTermProps {
  sources: readonly Source[];
  terms: readonly Term[];
  onAdd: (term: Term) => void;
}

const AddTerm = ({ sources, terms, onAdd }: AddTermProps) => (
  <NativeSelect
    size="xs"
    aria-label="Add to the sum"
    data={[
      { value: "", label: sources.length === 0 ? "No question counts anything yet" : "Add to the sum" },
      ...sources
        .filter(({ value }) => !terms.some((term) => keyOf(term) === value))
        .map(({ value, label }) => ({ value, label })),
    ]}
    value=""
    onChange={({ currentTarget }) => {
      const source = sources.find(({ value }) => value === currentTarget.value);
      if (source) onAdd({ ...source.term, sign: "plus" });
    }}
  />
);
