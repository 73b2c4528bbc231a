import { fieldRules } from "@app/shared/form-words";
import { Tabs } from "@mantine/core";
import { type InspectorTab, useBuilderContext } from "./builder-context.ts";
import { FormFields } from "./form-fields.tsx";
import { LogicFields } from "./logic-fields.tsx";
import { PageFields } from "./page-fields.tsx";
import { QuestionFields } from "./question-fields.tsx";

const isTab = (value: string | null): value is InspectorTab =>
  value === "question" || value === "logic" || value === "page" || value === "form";

/** What is selected, and everything about it that can be set. */
export function BuilderInspector() {
  const { content, page, field, tab, setTab, isReadOnly } = useBuilderContext();
  if (!page) return null;
  const rules = field ? fieldRules(content, page, field).length : 0;
  const choose = (value: string | null) => {
    if (isTab(value)) setTab(value);
  };
  return (
    <section className="builder-inspector" aria-label="Settings">
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="question">Question</Tabs.Tab>
          <Tabs.Tab value="logic">Logic{rules > 0 && <span className="builder-tab-count"> {rules}</span>}</Tabs.Tab>
          <Tabs.Tab value="page">Page</Tabs.Tab>
          <Tabs.Tab value="form">Form</Tabs.Tab>
        </Tabs.List>
        <fieldset className="inspector-body" disabled={isReadOnly}>
          <legend className="visually-hidden">Settings of what is selected</legend>
          <Tabs.Panel value="question">
            {field ? <QuestionFields key={field.id} field={field} /> : <NothingSelected />}
          </Tabs.Panel>
          <Tabs.Panel value="logic">
            {field ? <LogicFields key={field.id} field={field} /> : <NothingSelected />}
          </Tabs.Panel>
          <Tabs.Panel value="page">
            <PageFields key={page.id} page={page} />
          </Tabs.Panel>
          <Tabs.Panel value="form">
            <FormFields />
          </Tabs.Panel>
        </fieldset>
      </Tabs>
    </section>
  );
}

const NothingSelected = () => <p className="inspector-hint">Choose a question on the page, or add one.</p>;
