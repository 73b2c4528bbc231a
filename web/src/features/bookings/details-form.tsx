import {
  ANSWER_MAX_LENGTH,
  NEEDS_PHONE,
  needsPhone,
  PAGE_CHANGED,
  VISITOR_NAME_MAX_LENGTH,
} from "@app/shared/booking-limits";
import type { BookingPage, BookSlot } from "@app/shared/bookings";
import { Button } from "@mantine/core";
import { type ChangeEvent, type ReactNode, useEffect, useState } from "react";
import { codeOf, messageOf } from "../../core/errors.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { type Unsaved, UnsavedScope } from "../../ui/unsaved.ts";
import { answersIn, answersTo, type Typed } from "./typed-details.ts";
import { PublicChoice, PublicField } from "./public-fields.tsx";
import { takeFocus } from "./take-focus.ts";

type Details = Pick<BookSlot, "person" | "answers" | "website">;

type Page = Extract<BookingPage, { kind: "book" }>;

interface Values {
  person: { name: string; email: string; phone: string };
  answers: string[];
  website: string;
}

interface Props {
  page: Page;
  summary: ReactNode;
  /** What stays where another time is chosen in between. */
  typed: Typed;
  onType: (typed: Typed) => void;
  submit: (details: Details) => Promise<void>;
  onBack: () => void;
  /** Somebody else was faster, or the practice changed the page: it goes on where a time is chosen. */
  onTaken: (error: unknown) => void;
}

const YES_NO = [
  { value: "Yes", label: "Yes" },
  { value: "No", label: "No" },
];

function wrongWith({ name, email, phone }: Values["person"], { locationKind }: Page): Record<string, string> {
  return {
    ...(name.trim() === ""
      ? { "person.name": "Enter your name" }
      : tooLong("person.name", name, VISITOR_NAME_MAX_LENGTH)),
    ...(email.trim() === "" ? { "person.email": "Enter an email address" } : {}),
    ...(needsPhone(locationKind) && phone.trim() === "" ? { "person.phone": NEEDS_PHONE } : {}),
  };
}

function tooLong(path: string, text: string, most: number): Record<string, string> {
  const { length } = text.trim();
  return length > most ? { [path]: `Use at most ${most} characters: there are ${length}` } : {};
}

const wrongAnswers = (questions: Page["questions"], answers: readonly string[]): Record<string, string> =>
  Object.assign(
    {},
    ...questions.map(({ isRequired }, index) => {
      const path = `answers.${index}`;
      const answer = answers[index] ?? "";
      return isRequired && answer.trim() === ""
        ? { [path]: "Answer this question" }
        : tooLong(path, answer, ANSWER_MAX_LENGTH);
    }),
  );

/** It may have been booked all the same, and the same sent again is answered as the first time. */
const isUnanswered = (error: unknown): boolean => [undefined, "SERVICE_UNAVAILABLE", "TIMEOUT"].includes(codeOf(error));

function wordsToSend({ deposit, needsConfirmation }: Page): string {
  if (deposit) return "Continue to payment";
  return needsConfirmation ? "Ask for this time" : "Book this time";
}

/** Who comes, where that is not known, and what the practice asks. */
export function DetailsForm({ page, summary, typed, onType, submit, onBack, onTaken }: Props) {
  const { questions } = page;
  const [isUncertain, setIsUncertain] = useState(false);
  const form = useServerForm<Values>({
    initialValues: { ...typed, answers: answersIn(typed, page.questions) },
    validate: ({ person, answers }) => ({
      ...(page.isKnown ? {} : wrongWith(person, page)),
      ...wrongAnswers(page.questions, answers),
    }),
    async submit({ person, answers, website }) {
      setIsUncertain(false);
      try {
        await submit({ person: page.isKnown ? null : person, answers, website });
      } catch (error) {
        if (codeOf(error) === "CONFLICT" || messageOf(error) === PAGE_CHANGED) onTaken(error);
        else if (isUnanswered(error)) setIsUncertain(true);
        else throw error;
      }
    },
  });
  const { values } = form;
  const sendWords = wordsToSend(page);
  // It is kept in this tab, so nobody is asked who goes back to the times or loads the page again.
  const [kept] = useState(() => new Set<Unsaved>());
  useEffect(() => onType({ ...values, answers: answersTo(questions, values.answers) }), [onType, questions, values]);
  return (
    <UnsavedScope.Provider value={kept}>
      <h1 ref={takeFocus} tabIndex={-1} className="plain-title">
        Your details
      </h1>
      <div className="booking-columns">
        <Form form={form} label="Your details">
          {!page.isKnown && (
            <>
              <PublicField label="Your name" autoComplete="name" {...form.field("person.name")} />
              <PublicField label="Email" type="email" autoComplete="email" {...form.field("person.email")} />
              <PublicField
                label="Phone"
                type="tel"
                autoComplete="tel"
                isOptional={!needsPhone(page.locationKind)}
                {...form.field("person.phone")}
              />
            </>
          )}
          <Questions questions={page.questions} form={form} />
          <Trap value={form.values.website} onChange={form.field("website").onChange} />
          {isUncertain && (
            <FormFailure>{`We do not know yet whether this arrived. Press “${sendWords}” again: the same is booked once only.`}</FormFailure>
          )}
          <div className="booking-actions">
            <Button type="submit" size="lg" fullWidth loading={form.isSaving}>
              {sendWords}
            </Button>
            <button type="button" className="plain-button" onClick={onBack}>
              Choose another time
            </button>
          </div>
        </Form>
        <div className="booking-summary">{summary}</div>
      </div>
    </UnsavedScope.Provider>
  );
}

interface QuestionsProps {
  questions: Page["questions"];
  form: Pick<ReturnType<typeof useServerForm<Details>>, "field">;
}

const Questions = ({ questions, form }: QuestionsProps) =>
  questions.map(({ label, kind, isRequired }, index) =>
    kind === "yes_no" ? (
      <PublicChoice key={label} label={label} choices={YES_NO} {...form.field(`answers.${index}`)} />
    ) : (
      <PublicField
        key={label}
        label={label}
        isLong={kind === "long"}
        longest={ANSWER_MAX_LENGTH}
        isOptional={!isRequired}
        {...form.field(`answers.${index}`)}
      />
    ),
  );

interface TrapProps {
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** Nobody sees it: only a program fills it in. */
const Trap = ({ value, onChange }: TrapProps) => (
  <div className="booking-trap" aria-hidden>
    <label>
      Website
      <input tabIndex={-1} autoComplete="off" value={value} onChange={onChange} />
    </label>
  </div>
);
