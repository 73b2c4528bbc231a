// The forms of the invented practice: one of each template, published; one of them changed since.
import type { FormContent } from "@app/shared/form-content";
import type { FormKind } from "@app/shared/form-kinds";
import { contentOf, FORM_TEMPLATES } from "@app/shared/form-templates/form-templates";
import type { Scope } from "@app/server/core/trpc";
import { createForm, publishForm, saveForm } from "@app/server/features/forms/forms.service";

const CURRENCY = "GBP";
/** Somebody went on with this one after it was published. */
const CHANGED = "feedback";

export interface DemoForm {
  id: string;
  kind: FormKind;
  /** As it was published. */
  content: FormContent;
}

export async function demoForms(scope: Scope): Promise<DemoForm[]> {
  const forms: DemoForm[] = [];
  for (const template of FORM_TEMPLATES) {
    const { name, kind } = template;
    const content = contentOf(template, CURRENCY);
    const { id, version } = await createForm(scope, { name, kind, content });
    await publishForm(scope, { id, version });
    if (template.id === CHANGED)
      await saveForm(scope, { id, version, name, content: { ...content, title: "How was mediation for you?" } });
    forms.push({ id, kind, content });
  }
  return forms;
}
