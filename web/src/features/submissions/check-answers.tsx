import { answerText } from "@app/shared/answer-texts";
import { answerTo } from "@app/shared/form-answers";
import type { Evaluation } from "@app/shared/form-evaluation";
import type { FormPage } from "@app/shared/form-content";
import type { OpenedForm } from "@app/shared/submissions";
import { Button } from "@mantine/core";
import { BackButton } from "./back-button.tsx";
import type { Problem } from "./problems.ts";
import { SaveNote } from "./save-note.tsx";
import { useSending } from "./use-sending.tsx";
import type { Filling } from "./use-filling.ts";

interface Props {
  opened: OpenedForm;
  filling: Filling;
  evaluation: Evaluation;
  /** With what is wrong there, where the server found something. */
  onChange: (pageId: string, problems?: readonly Problem[]) => void;
  onSent: () => void;
  onLater: () => void;
  back: { to: number; onBack: () => void };
}

/** All answers once more, each with the way back to it, before they are sent. */
export function CheckAnswers({ opened, filling, evaluation, onChange, onSent, onLater, back }: Props) {
  const { content } = opened;
  const { send, isSending, failure, trap } = useSending(opened, filling, {
    onSent,
    onProblems: (problems) => {
      const page = pageOf(content.pages, problems[0]);
      if (page)
        onChange(
          page.id,
          problems.filter(({ path }) => page.fields.some(({ id }) => id === path[0])),
        );
    },
  });
  const pages = content.pages.filter(({ id }) => evaluation.path.includes(id));
  return (
    <>
      <h1 className="form-title">Check your answers</h1>
      <p className="plain-text">Look at what you entered. Nothing was sent yet.</p>
      {pages.map((page) => (
        <Checked
          key={page.id}
          page={page}
          currency={content.currency}
          evaluation={evaluation}
          onChange={() => onChange(page.id)}
        />
      ))}
      {failure && (
        <div role="alert" className="form-problems">
          <h2>It was not sent</h2>
          <p>{failure}</p>
        </div>
      )}
      {trap}
      <div className="form-buttons">
        <Button size="lg" fullWidth loading={isSending} onClick={() => void send()}>
          Send
        </Button>
        <Button variant="default" size="lg" fullWidth onClick={onLater}>
          Save and continue later
        </Button>
        <BackButton {...back} />
        <SaveNote filling={filling} />
      </div>
    </>
  );
}

const pageOf = (pages: readonly FormPage[], problem: Problem | undefined): FormPage | undefined =>
  pages.find(({ fields }) => fields.some(({ id }) => id === problem?.path[0]));

interface CheckedProps {
  page: FormPage;
  currency: string;
  evaluation: Evaluation;
  onChange: () => void;
}

function Checked({ page: { title, fields }, currency, evaluation: { visible, answers }, onChange }: CheckedProps) {
  const lines = fields.flatMap((field) => {
    if (field.type === "statement" || field.type === "hidden" || !visible.has(field.id)) return [];
    return [{ id: field.id, label: field.label, text: answerText(field, answerTo(answers, field.id), currency) }];
  });
  if (lines.length === 0) return null;
  return (
    <section className="form-checked">
      <div className="form-checked-head">
        <h2>{title}</h2>
        <button type="button" className="form-link-button" onClick={onChange}>
          Change<span className="form-unseen"> {title}</span>
        </button>
      </div>
      <dl>
        {lines.map(({ id, label, text }) => (
          <div key={id}>
            <dt>{label}</dt>
            <dd data-empty={text === "" || undefined}>{text || "Not answered"}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
