import type { FormPage } from "@app/shared/form-content";
import { HELP_MAX_LENGTH, LABEL_MAX_LENGTH } from "@app/shared/form-limits";
import { Button, TextInput } from "@mantine/core";
import { useBuilderContext } from "./builder-context.ts";
import { LinesField } from "./lines-field.tsx";
import { changePage, duplicatePage, movePage } from "./page-edits.ts";
import { PageRules } from "./page-rules.tsx";

export function PageFields({ page }: { page: FormPage }) {
  const { content, edit, takeOutPage } = useBuilderContext();
  const at = content.pages.indexOf(page);
  const change = (part: Partial<FormPage>, about: string) =>
    edit((form) => changePage(form, page.id, (one) => ({ ...one, ...part })), `${page.id}.${about}`);
  return (
    <div className="inspector-fields">
      <TextInput
        label="Title of the page"
        maxLength={LABEL_MAX_LENGTH}
        value={page.title}
        onChange={({ currentTarget: { value } }) => change({ title: value }, "title")}
      />
      <LinesField
        label="Introduction"
        description="Shown under the title"
        maxLength={HELP_MAX_LENGTH}
        value={page.text}
        onChange={(text) => change({ text }, "text")}
      />
      <div className="inspector-buttons">
        <Button
          size="xs"
          variant="default"
          disabled={at === 0}
          onClick={() => edit((form) => movePage(form, page.id, -1))}
        >
          Move up
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={at === content.pages.length - 1}
          onClick={() => edit((form) => movePage(form, page.id, 1))}
        >
          Move down
        </Button>
        <Button size="xs" variant="default" onClick={() => edit((form) => duplicatePage(form, page.id))}>
          Duplicate
        </Button>
        <Button size="xs" variant="default" disabled={content.pages.length === 1} onClick={() => takeOutPage(page)}>
          Take out
        </Button>
      </div>
      <PageRules page={page} />
    </div>
  );
}
