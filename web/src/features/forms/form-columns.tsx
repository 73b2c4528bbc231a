import { FORM_KIND_NAMES } from "@app/shared/form-limits";
import type { FormRow } from "@app/shared/forms";
import type { ReactNode } from "react";
import type { Formats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { TextLink } from "../../ui/links.tsx";
import { newAnswersWords } from "./new-answers.ts";

export const FormLink = ({ form }: { form: FormRow }) => (
  <TextLink
    to="/settings/forms/create/$id"
    params={{ id: form.id }}
    c="inherit"
    fw={500}
    fz="inherit"
    underline="hover"
  >
    {form.name}
  </TextLink>
);

/** The word that says who can fill it in. */
function FormState({ form }: { form: FormRow }) {
  if (form.status === "archived") return <Chip tone="outline">Archived</Chip>;
  if (form.publishedNumber === null) return <Chip tone="outline">Draft</Chip>;
  return <Chip tone="agreed">Version {form.publishedNumber} is live</Chip>;
}

/** The way to what was sent in; says how much of it is new. */
function AnswersLink({ form, answers }: { form: FormRow; answers: ReadonlyMap<string, number> }) {
  if (form.publishedNumber === null) return "–";
  const fresh = newAnswersWords(answers.get(form.id));
  return (
    <TextLink
      to="/settings/forms"
      search={{ answers: form.id }}
      fz="inherit"
      aria-label={`Answers to ${form.name}${fresh && `: ${fresh}`}`}
    >
      {fresh || "Answers"}
    </TextLink>
  );
}

interface Shown {
  formats: Formats;
  /** Null for whoever may not read answers. */
  answers: ReadonlyMap<string, number> | null;
  tools: (form: FormRow) => ReactNode;
}

export const formColumns = ({ formats, answers, tools }: Shown): Column<FormRow, "name">[] => [
  { key: "name", header: "Form", cell: (form) => <FormLink form={form} /> },
  { key: "kind", header: "Kind", width: 150, cell: ({ kind }) => FORM_KIND_NAMES[kind] },
  { key: "status", header: "Status", width: 132, cell: (form) => <FormState form={form} /> },
  { key: "changed", header: "Draft", width: 132, cell: ({ isChanged }) => (isChanged ? "Not published yet" : "–") },
  { key: "questions", header: "Questions", width: 84, isTabular: true, cell: ({ questions }) => questions },
  ...(answers
    ? [
        {
          key: "answers" as const,
          header: "Answers",
          width: 92,
          cell: (form: FormRow) => <AnswersLink form={form} answers={answers} />,
        },
      ]
    : []),
  {
    key: "updatedAt",
    header: "Changed",
    width: 100,
    isTabular: true,
    cell: ({ updatedAt }) => formats.day(updatedAt),
  },
  { key: "tools", header: "More", width: 52, cell: tools },
];

interface PhoneRowProps {
  form: FormRow;
  answers: ReadonlyMap<string, number> | null;
  tools: ReactNode;
}

export const FormPhoneRow = ({ form, answers, tools }: PhoneRowProps) => (
  <>
    <span className="form-phone-row">
      <FormLink form={form} />
      {tools}
    </span>
    <span className="form-phone-row">
      <span>{FORM_KIND_NAMES[form.kind]}</span>
      {answers?.has(form.id) && <AnswersLink form={form} answers={answers} />}
      <FormState form={form} />
    </span>
  </>
);
