import type { Register } from "@app/shared/auth";
import { PRODUCT_NAME } from "@app/shared/product";
import { Button } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { fieldErrorsOf } from "../../core/errors.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useSession } from "../../core/session-state.ts";
import { PracticeMark } from "../../ui/practice-mark.tsx";
import { AccountFields } from "./account-fields.tsx";
import { FirstRunCheck } from "./first-run-check.tsx";
import { EMPTY_REGISTRATION, isChosen, PracticeFields, type RegistrationValues } from "./practice-fields.tsx";
import { useEnter } from "./use-enter.ts";
import "./first-run.css";

interface Step {
  title: string;
  text: string;
  fields: readonly (keyof Register)[];
}

const STEPS: readonly [Step, ...Step[]] = [
  {
    title: "Your account",
    text: "You own the practice. Invite colleagues later.",
    fields: ["firstName", "lastName", "email", "password"],
  },
  {
    title: "Your practice",
    text: "Shown on letters, invoices and public pages. You can change it later.",
    fields: ["practiceName", "region", "mediatorType"],
  },
  {
    title: "Email",
    text: "You can start without it.",
    fields: [],
  },
  { title: "Check and finish", text: "Nothing is saved until you finish.", fields: [] },
];
const LAST = STEPS.length - 1;

/** The first screen of a new installation: four small steps, and nothing saved before the last. */
export function FirstRun() {
  const [step, setStep] = useState(0);
  const enter = useEnter();
  const form = useServerForm<RegistrationValues>({
    initialValues: EMPTY_REGISTRATION,
    submit: async (values) => {
      if (step < LAST || !isChosen(values)) return goOn(values);
      try {
        await apiClient.auth.setUp.mutate(values);
      } catch (error) {
        const bad = Object.keys(fieldErrorsOf(error));
        const where = STEPS.findIndex(({ fields }) => fields.some((field) => bad.includes(field)));
        if (where >= 0) setStep(where);
        throw error;
      }
      await enter();
    },
  });
  const { title, text } = STEPS[step] ?? STEPS[0];

  async function goOn(values: RegistrationValues) {
    // The rules come with a library that the first screen does without.
    const { checkRegistration } = await import("./check-registration.ts");
    const errors = Object.entries(checkRegistration(values));
    const here = errors.filter(([field]) => STEPS[step]?.fields.some((name) => name === field));
    if (here.length > 0) form.refuseFields(Object.fromEntries(here));
    else setStep(step + 1);
  }

  return (
    <div className="first-run">
      <PracticeMark name={form.values.practiceName || PRODUCT_NAME} />
      <div className="first-run-columns">
        <Steps step={step} />
        <Form form={form} className="first-run-form">
          <h1 className="first-run-title">{title}</h1>
          <p className="login-text">{text}</p>
          <div className="login-fields">
            {step === 0 && <AccountFields form={form} />}
            {step === 1 && <PracticeFields form={form} />}
            {step === 2 && <MailStep />}
            {step === LAST && isChosen(form.values) && <FirstRunCheck values={form.values} onChange={setStep} />}
          </div>
          <div className="first-run-buttons">
            {step > 0 && (
              <Button variant="default" size="md" onClick={() => setStep(step - 1)}>
                Back
              </Button>
            )}
            <Button type="submit" size="md" loading={form.isSaving}>
              {step === LAST ? "Finish" : "Continue"}
            </Button>
          </div>
        </Form>
      </div>
    </div>
  );
}

function Steps({ step }: { step: number }) {
  return (
    <>
      <ol className="first-run-steps">
        {STEPS.map(({ title }, index) => (
          <li key={title} aria-current={index === step ? "step" : undefined}>
            <span className="first-run-number">
              {index < step ? <IconCheck size={16} stroke={1.7} aria-label="Done" /> : index + 1}
            </span>
            {title}
          </li>
        ))}
      </ol>
      <div className="first-run-progress">
        <span>
          Step {step + 1} of {STEPS.length}
        </span>
        <progress value={step + 1} max={STEPS.length} aria-label="Steps" />
      </div>
    </>
  );
}

function MailStep() {
  const isMailConfigured = useSession().status?.isMailConfigured ?? false;
  return (
    <div className="login-rule">
      <p>
        No mailbox is connected yet, so nothing goes to clients by itself.{" "}
        {isMailConfigured
          ? "Messages of the system, such as a link for a new password, are sent by this installation."
          : "Messages of the system, such as a link for a new password, are kept on the page Email, where you as the owner can read and pass them on."}
      </p>
    </div>
  );
}
