import type { ReactNode } from "react";
import { NewerVersionNotice } from "../ui/newer-version-notice.tsx";
import { type NewerVersion, type NewerVersionOptions, useNewerVersion } from "../ui/use-newer-version.ts";
import { isStale } from "./errors.ts";
import { Form, type Rules, useServerForm } from "./form.tsx";
import { useFormats } from "./format.ts";

type Options<Values> = Omit<NewerVersionOptions<Values>, "values" | "setValues" | "isStale"> & Rules<Values>;

/** A form over something that others may save meanwhile: what is typed stays, and a newer version is merged into it. */
export function useVersionedForm<Values extends object>(options: Options<Values>) {
  const form = useServerForm<Values>({
    ...(options.validate ? { validate: options.validate } : {}),
    initialValues: options.stored.values,
    submit: (values): Promise<void> => newer.save(values),
  });
  const newer = useNewerVersion({ ...options, values: form.values, setValues: form.setValues, isStale });
  return { ...form, newer, isDirty: () => newer.isDirty, isSaving: form.isSaving || newer.isSaving };
}

interface Props {
  form: Pick<
    ReturnType<typeof useServerForm>,
    "attach" | "onSubmit" | "isSaving" | "isDirty" | "failure" | "refuse"
  > & {
    newer: NewerVersion;
  };
  /** What is being edited: "practice". */
  what: string;
  label?: string;
  className?: string;
  children: ReactNode;
}

/** The form, and on top of it what was changed elsewhere meanwhile. */
export function VersionedForm({ form, what, children, ...attributes }: Props) {
  const formats = useFormats();
  const { savedBy } = form.newer;
  const theirs = savedBy && { name: savedBy.name, savedAt: formats.time(savedBy.at) };
  return (
    <Form form={form} {...attributes}>
      <NewerVersionNotice newer={form.newer} what={what} theirs={theirs} onFailure={form.refuse} />
      {children}
    </Form>
  );
}
