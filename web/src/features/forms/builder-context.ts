// What every part of the builder knows: the form, what of it is selected, and how it is changed.
import { formProblems } from "@app/shared/form-checks";
import type { FormContent, FormPage } from "@app/shared/form-content";
import type { Field } from "@app/shared/form-fields";
import type { FieldType } from "@app/shared/form-limits";
import type { Form } from "@app/shared/forms";
import { createContext, useContext, useState } from "react";
import { flushSync } from "react-dom";
import { notify, notifyError } from "../../core/notify.ts";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { addField, findField, hasRoom, removeField } from "./field-edits.ts";
import { freeId, idsIn } from "./form-ids.ts";
import { newField } from "./new-field.ts";
import { removePage } from "./page-edits.ts";
import { rulesAbout } from "./rule-edits.ts";
import { useSavedDraft } from "./use-saved-draft.ts";

export type Pane = "pages" | "questions" | "settings";
export type InspectorTab = "question" | "logic" | "page" | "form";

export interface Selection {
  pageId: string;
  fieldId: string | null;
  /** A question of the repeat group `fieldId`. */
  innerId: string | null;
}

export const questionElementId = (fieldId: string): string => `question-${fieldId}`;

export function useBuilder(form: Form) {
  const saved = useSavedDraft(form);
  const isPhone = useIsPhone();
  const { content } = saved.draft;
  const place = usePlace(content);
  const { page, selection } = place;
  const edit = (change: (content: FormContent) => FormContent, about: string | null = null) =>
    saved.edit((draft) => ({ ...draft, content: change(draft.content) }), about);

  return {
    form,
    saved,
    isPhone,
    content,
    ...place,
    field: fieldSelected(content, selection),
    problems: formProblems(content, form.kind),
    isReadOnly: form.status === "archived",
    edit,
    add: (type: FieldType) => {
      if (!page || !hasRoom(content, page.id))
        return notifyError("There is no room for another question on this page.");
      const field = newField(type, freeId(idsIn(content), type));
      const after = page.fields.findIndex(({ id }) => id === selection.fieldId);
      flushSync(() => {
        edit((form_) => addField(form_, page.id, after === -1 ? page.fields.length : after + 1, field));
        place.selectNew(page.id, field.id);
      });
      document.getElementById(questionElementId(field.id))?.scrollIntoView({ block: "center" });
    },
    remove: (fieldId: string) => {
      const found = findField(content, fieldId);
      if (!found) return;
      const inner = found.field.type === "repeat_group" ? found.field.fields.map(({ id }) => id) : [];
      const rules = rulesAbout(content, [fieldId, ...inner]).length;
      const next = found.page.fields[found.index + 1] ?? found.page.fields[found.index - 1];
      flushSync(() => {
        edit((form_) => removeField(form_, fieldId));
        place.select({ fieldId: next?.id ?? null });
      });
      const undoIt = onlyNow(saved);
      document.getElementById(next ? questionElementId(next.id) : "add-question")?.focus();
      sayTakenOut("Question taken out", rules, undoIt);
    },
    takeOutPage: (one: FormPage) => {
      const rules = rulesAbout(content, [...idsIn({ pages: [one] })]).filter(({ pageId }) => pageId !== one.id).length;
      flushSync(() => edit((form_) => removePage(form_, one.id)));
      sayTakenOut("Page taken out", rules, onlyNow(saved));
    },
  };
}

/** Where in the form somebody is: what is selected, and which part of the builder shows it. */
function usePlace(content: FormContent) {
  const [chosen, setSelection] = useState<Selection>({ pageId: "", fieldId: null, innerId: null });
  const [tab, setTab] = useState<InspectorTab>("question");
  const [pane, setPane] = useState<Pane>("questions");
  const [isAdding, setIsAdding] = useState(false);
  /** The question that was just added: its words are typed next. */
  const [newId, setNewId] = useState<string | null>(null);
  const selection = selectionIn(content, chosen);
  const page = content.pages.find(({ id }) => id === selection.pageId) ?? content.pages[0];
  return {
    page,
    selection,
    tab,
    setTab,
    pane,
    setPane,
    isAdding,
    setIsAdding,
    newId,
    select: (next: Partial<Selection>) => {
      setNewId(null);
      setSelection({ pageId: selection.pageId, fieldId: null, innerId: null, ...next });
      if (next.fieldId) setTab((before) => (before === "logic" ? before : "question"));
      else if (next.innerId === undefined) setTab("page");
    },
    selectNew: (pageId: string, fieldId: string) => {
      setSelection({ pageId, fieldId, innerId: null });
      setNewId(fieldId);
      setTab("question");
      setPane("settings");
      setIsAdding(false);
    },
  };
}

/** Undoes the last step, as long as nothing else was done since. */
function onlyNow({ now, undo }: ReturnType<typeof useSavedDraft>): () => void {
  const { content } = now();
  return () =>
    now().content === content ? undo() : notify("Something else was changed since. Undo goes back step by step.");
}

function sayTakenOut(what: string, rules: number, onAct: () => void): void {
  const asked = rules === 1 ? ", with 1 rule that asked about it" : `, with ${rules} rules that asked about it`;
  notify(rules === 0 ? what : `${what}${asked}`, { label: "Undo", onAct });
}

/** What is selected, where that is still there. */
function selectionIn({ pages }: FormContent, chosen: Selection): Selection {
  const page = pages.find(({ id }) => id === chosen.pageId) ?? pages[0];
  const field = page?.fields.find(({ id }) => id === chosen.fieldId);
  const isInner = field?.type === "repeat_group" && field.fields.some(({ id }) => id === chosen.innerId);
  return { pageId: page?.id ?? "", fieldId: field?.id ?? null, innerId: isInner ? chosen.innerId : null };
}

function fieldSelected(content: FormContent, { fieldId, innerId }: Selection): Field | null {
  const field = fieldId === null ? undefined : findField(content, fieldId)?.field;
  const inner = field?.type === "repeat_group" ? field.fields.find(({ id }) => id === innerId) : undefined;
  return inner ?? field ?? null;
}

export type Builder = ReturnType<typeof useBuilder>;
const Context = createContext<Builder | null>(null);
export const BuilderContext = Context.Provider;

export function useBuilderContext(): Builder {
  const builder = useContext(Context);
  if (!builder) throw new Error("this part stands outside the builder");
  return builder;
}
