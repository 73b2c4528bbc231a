import type { ReactNode } from "react";
import { NewerVersionNotice } from "../ui/newer-version-notice.tsx";
import { type NewerVersion, type NewerVersionOptions, useNewerVersion } from "../ui/use-newer-version.ts";
import { codeOf, messageOf } from "./errors.ts";
import { Form, useServerForm } from "./form.tsx";

type Options<Values> = Omit<NewerVersionOptions<Values>, "values" | "setValues" | "isConflict">;

export const isConflict = (error: unknown): boolean => codeOf(error) === "CONFLICT";

/** A form over something that others may save meanwhile: what is typed stays, and a newer version is merged into it. */
export function useVersionedForm<Values extends object>(options: Options<Values>) {
  const form = useServerForm<Values>({
    initialValues: options.stored.values,
    submit: (values): Promise<void> => newer.save(values),
  });
  const newer = useNewerVersion({ ...options, values: form.values, setValues: form.setValues, isConflict });
  return { ...form, newer };
}

interface Props {
  form: Pick<ReturnType<typeof useServerForm>, "attach" | "onSubmit" | "isSaving" | "failure" | "setFailure"> & {
    newer: NewerVersion;
  };
  /** What is being edited: "practice". */
  what: string;
  label?: string;
  children: ReactNode;
}

/** The form, and on top of it what was changed elsewhere meanwhile. */
export function VersionedForm({ form, what, label, children }: Props) {
  return (
    <Form form={form} {...(label === undefined ? {} : { label })}>
      <NewerVersionNotice newer={form.newer} what={what} onFailure={(error) => form.setFailure(messageOf(error))} />
      {children}
    </Form>
  );
}
