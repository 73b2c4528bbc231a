// A form that does something with a record, such as moving a case on: it goes by the record as it stood when it was
// opened, so that the server refuses what was decided by something older.
import { Button } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { type ReactNode, type SyntheticEvent, useState } from "react";
import { Panel } from "../ui/panel.tsx";
import { isSameField, type VersionField } from "../ui/version-fields.ts";
import { Form, type Rules, useServerForm } from "./form.tsx";

/** One thing of a record that a person decides by. */
export type Fact<Kept> = Pick<VersionField<Kept>, "key" | "label" | "value" | "text">;

interface Options<Kept, Values> extends Rules<Values> {
  /** As it was read last. */
  record: Kept;
  facts: readonly Fact<Kept>[];
  initialValues: Values;
  submit: (values: Values, opened: Kept, id: string) => Promise<void>;
}

const LOOK_FIRST = "Nothing was sent. Look at what was changed first, and say that you go on from there.";

/** Where something was filled in, a newer record is shown before the form goes on from it. */
export function useOpenedForm<Kept extends { version: number }, Values extends object>(options: Options<Kept, Values>) {
  const { record, facts, initialValues, validate, submit } = options;
  const [opened, setOpened] = useState(record);
  const form = useServerForm<Values>({
    initialValues,
    ...(validate ? { validate } : {}),
    submit: (values, id) => submit(values, opened, id),
  });
  const changes = facts.filter((fact) => !isSameField(fact, opened, record));
  // While this form saves, a newer record is most likely its own.
  const isNewer = record.version > opened.version && !form.isSaving;
  if (isNewer && (changes.length === 0 || !form.isDirty())) setOpened(record);
  return {
    ...form,
    opened,
    changes: isNewer
      ? changes.map(({ key, label, text }) => ({ key, label, was: text(opened), is: text(record) }))
      : [],
    goOn() {
      form.setFailure(null);
      setOpened(record);
    },
    onSubmit(event?: SyntheticEvent<HTMLFormElement>) {
      if (!isNewer) return form.onSubmit(event);
      event?.preventDefault();
      event?.stopPropagation();
      form.setFailure(LOOK_FIRST);
    },
  };
}

type Shown = Pick<ReturnType<typeof useServerForm>, "attach" | "onSubmit" | "isSaving" | "isDirty" | "failure">;

interface Props {
  form: Shown & { changes: { key: string; label: string; was: string; is: string }[]; goOn: () => void };
  /** What is acted on: "case". */
  what: string;
  label?: string;
  children: ReactNode;
}

/** The form, and on top of it what was changed since it was opened. */
export function OpenedForm({ form, what, children, ...attributes }: Props) {
  return (
    <Form form={form} {...attributes}>
      {form.changes.length > 0 && (
        <div role="status">
          <Panel
            icon={<IconInfoCircle size={18} stroke={1.7} aria-hidden />}
            title={`This ${what} was changed elsewhere since you opened this.`}
            action={
              <Button size="xs" variant="default" onClick={form.goOn}>
                Go on from there
              </Button>
            }
          >
            <ul>
              {form.changes.map(({ key, label, was, is }) => (
                <li key={key}>{`${label}: it was ${was || "empty"}, now it is ${is || "empty"}.`}</li>
              ))}
            </ul>
          </Panel>
        </div>
      )}
      {children}
    </Form>
  );
}
