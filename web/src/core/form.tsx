import { useForm } from "@mantine/form";
import { type ReactNode, type SyntheticEvent, useEffect, useState } from "react";
import { FormFailure } from "../ui/form-failure.tsx";
import { fieldErrorsOf, messageOf } from "./errors.ts";

interface Options<Values> {
  initialValues: Values;
  /** Messages by field path, before anything is sent. The server checks again in any case. */
  validate?: (values: Values) => Record<string, string>;
  submit: (values: Values) => Promise<void>;
}

export interface ServerForm {
  attach: (element: HTMLFormElement | null) => void;
  failure: string | null;
  isSaving: boolean;
  onSubmit: (event?: SyntheticEvent<HTMLFormElement>) => void;
}

/**
 * A form whose fields show what the server's validation found, and which puts the cursor in the first of them.
 * Whatever was typed stays. `field("email")` gives a Mantine input its value, its change handler and its error.
 */
export function useServerForm<Values extends Record<string, unknown>>({
  initialValues,
  validate,
  submit,
}: Options<Values>) {
  const form = useForm<Values>({ initialValues, ...(validate ? { validate } : {}) });
  const [element, attach] = useState<HTMLFormElement | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [refusals, setRefusals] = useState(0);

  useEffect(() => {
    if (refusals > 0) element?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals, element]);

  async function send(values: Values) {
    if (isSaving) return;
    setIsSaving(true);
    setFailure(null);
    try {
      await submit(values);
    } catch (error) {
      refuse(error);
    } finally {
      setIsSaving(false);
    }
  }

  /** Shows messages at the fields and puts the cursor in the first of them. */
  function refuseFields(errors: Record<string, string>) {
    form.setErrors(errors);
    setRefusals((count) => count + 1);
  }

  function refuse(error: unknown) {
    const errors = fieldErrorsOf(error);
    const isOurs = (path: string) => Object.hasOwn(form.values, path.split(".")[0] ?? "");
    const isShownAtFields = Object.keys(errors).length > 0 && Object.keys(errors).every(isOurs);
    if (!isShownAtFields) setFailure(Object.entries(errors).find(([path]) => !isOurs(path))?.[1] ?? messageOf(error));
    refuseFields(errors);
  }

  const checkAndSend = form.onSubmit(send, () => setRefusals((count) => count + 1));
  return {
    attach,
    failure,
    isSaving,
    onSubmit: checkAndSend,
    field: form.getInputProps,
    values: form.values,
    setValues: form.setValues,
    setFieldValue: form.setFieldValue,
    errors: form.errors,
    refuseFields,
    isDirty: form.isDirty,
    resetDirty: form.resetDirty,
    reset: form.reset,
    setFailure,
  };
}

interface FormProps {
  form: ServerForm;
  children: ReactNode;
  className?: string;
  label?: string;
}

/** Enter submits; a failure that belongs to no field stands on top. */
export function Form({ form, children, className, label }: FormProps) {
  return (
    <form
      ref={form.attach}
      noValidate
      onSubmit={form.onSubmit}
      aria-busy={form.isSaving}
      aria-label={label}
      className={className}
    >
      {form.failure && <FormFailure>{form.failure}</FormFailure>}
      {children}
    </form>
  );
}
