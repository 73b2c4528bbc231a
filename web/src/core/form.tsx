import { type ReactNode, type SyntheticEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { FormFailure } from "../ui/form-failure.tsx";
import { useUnsaved } from "../ui/unsaved.ts";
import { fieldErrorsOf, isUnconfirmed, messageOf } from "./errors.ts";
import { makeId } from "./new-id.ts";
import { valueAt, valueOf, withValueAt } from "./form-values.ts";

type FieldErrors = Record<string, string>;

export interface Rules<Values> {
  /** Messages by field path, before anything is sent. The server checks again in any case. */
  validate?: (values: Values) => FieldErrors;
}

interface Options<Values> extends Rules<Values> {
  initialValues: Values;
  /** The id is for what the form creates or sends: it changes only once that was done. */
  submit: (values: Values, id: string) => Promise<void>;
}

interface Field<Value> {
  value: Value;
  onChange: (payload: unknown) => void;
  error: string | undefined;
}

type CheckField = Omit<Field<never>, "value"> & { checked: boolean };

const CHECKBOX = "checkbox";
// A checkbox of the library says it in a way of its own.
const BAD_FIELD = '[aria-invalid="true"], input[data-error]';
const MESSAGE = '[role="alert"], .mantine-InputWrapper-error';
const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

/** What was refused: at its fields, or on top of the form. */
function useRefusal() {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [element, attach] = useState<HTMLFormElement | null>(null);

  /**
   * Shows messages at the fields, those that none of them shows on top, and puts the cursor in the first bad field; where
   * none can take it, what was refused is brought into sight.
   */
  function refuseFields(messages: FieldErrors) {
    flushSync(() => setErrors(messages));
    // A field may stand for several of the server's, under a name of its own.
    const unseen = Object.values(messages).find((message) => !element?.textContent.includes(message));
    if (unseen !== undefined) flushSync(() => setFailure(unseen));
    const bad = element?.querySelector<HTMLElement>(BAD_FIELD);
    if (bad) bad.focus();
    else element?.querySelector(MESSAGE)?.scrollIntoView({ block: "center" });
  }

  function refuse(error: unknown) {
    // Whoever chose not to go on knows that nothing was saved.
    if (isUnconfirmed(error)) return;
    const messages = fieldErrorsOf(error);
    if (Object.keys(messages).length === 0) flushSync(() => setFailure(messageOf(error)));
    refuseFields(messages);
  }

  return { attach, errors, setErrors, failure, setFailure, refuseFields, refuse };
}

/**
 * A form whose fields show what the server's validation found, and which puts the cursor in the first of them.
 * Whatever was typed stays. Not on @mantine/form: the rules are the schemas that the server has too, and the first pages
 * would load it as well. `field("email")` gives an input its value, its change handler and its error.
 */
export function useServerForm<Values extends object>({ initialValues, validate, submit }: Options<Values>) {
  const [id, setId] = useState(makeId);
  const [initial] = useState(initialValues);
  const [values, setValues] = useState(initial);
  const [stored, setStored] = useState(initial);
  const isEmptied = useRef(false);
  const [isSaving, setIsSaving] = useState(false);
  const { attach, errors, setErrors, failure, setFailure, refuseFields, refuse } = useRefusal();

  async function send() {
    setIsSaving(true);
    setFailure(null);
    setErrors({});
    isEmptied.current = false;
    try {
      await submit(values, id);
      setId(makeId());
      setStored(isEmptied.current ? initial : values);
    } catch (error) {
      refuse(error);
    } finally {
      setIsSaving(false);
    }
  }

  function onSubmit(event?: SyntheticEvent<HTMLFormElement>) {
    event?.preventDefault();
    // A form in a dialog is a child of the page's own form for React, though not for the browser.
    event?.stopPropagation();
    if (isSaving) return;
    const messages = validate?.(values) ?? {};
    if (Object.keys(messages).length > 0) refuseFields(messages);
    else void send();
  }

  function change(path: string, value: unknown) {
    setValues((before) => withValueAt(before, path, value));
    setErrors(({ [path]: _gone, ...others }) => others);
  }

  function field<Key extends keyof Values & string>(key: Key): Field<Values[Key]>;
  function field(path: `${string}.${string}`): Field<string>;
  function field(path: string, options: { type: typeof CHECKBOX }): CheckField;
  function field(path: string, options?: { type: typeof CHECKBOX }) {
    const value = valueAt(values, path);
    const onChange = (payload: unknown) => change(path, valueOf(payload));
    return { ...(options ? { checked: value === true } : { value }), onChange, error: errors[path] };
  }

  return {
    attach,
    onSubmit,
    field,
    values,
    setValues,
    setFieldValue: <Key extends keyof Values & string>(key: Key, value: Values[Key]) => change(key, value),
    errors,
    refuseFields,
    /** Shows why something was refused: at its fields, or on top. */
    refuse,
    failure,
    setFailure,
    isSaving,
    isDirty: () => !isSame(values, stored),
    /** Empty again, once what stood here is stored. */
    reset: () => {
      isEmptied.current = true;
      setValues(initial);
      setErrors({});
    },
  };
}

interface FormProps {
  form: Pick<ReturnType<typeof useServerForm>, "attach" | "onSubmit" | "isSaving" | "isDirty" | "failure">;
  children: ReactNode;
  className?: string;
  label?: string;
}

/** Enter submits; a failure that belongs to no field stands on top; what is typed is not left behind unasked. */
export function Form({ form, children, className, label }: FormProps) {
  const { attach, onSubmit, isSaving, isDirty, failure } = form;
  // While it is stored the page may go on by itself: that is then what saving leads to.
  useUnsaved((isGoingOn) => isDirty() && !(isGoingOn && isSaving));
  return (
    <form ref={attach} noValidate onSubmit={onSubmit} aria-busy={isSaving} aria-label={label} className={className}>
      {failure && <FormFailure>{failure}</FormFailure>}
      {children}
    </form>
  );
}
