import { answerText } from "@app/shared/answer-texts";
import { answerTo, isSignature } from "@app/shared/form-answers";
import type { FormContent, FormPage } from "@app/shared/form-content";
import { NOTHING_ENTERED, sumsOfNothing } from "@app/shared/form-sums";
import type { Evaluation } from "@app/shared/form-evaluation";
import { DrawnSignature } from "./drawn-signature.tsx";
import "./questions.css";

interface Props {
  content: FormContent;
  evaluation: Evaluation;
  onChange: (pageId: string) => void;
  /** Of the heading of the whole; those of the pages stand below it. */
  level: 1 | 2;
}

/** All answers once more, each page with the way back to it. */
export function CheckedPages({ content, evaluation, onChange, level }: Props) {
  const pages = content.pages.filter(({ id }) => evaluation.path.includes(id));
  const emptySums = sumsOfNothing(content, evaluation.answers);
  const Title = level === 1 ? "h1" : "h2";
  return (
    <>
      <Title className="form-title">Check your answers</Title>
      <p className="form-intro">Look at what you entered. Nothing was sent yet.</p>
      {pages.map((page) => (
        <Checked
          key={page.id}
          page={page}
          emptySums={emptySums}
          currency={content.currency}
          evaluation={evaluation}
          level={level}
          onChange={() => onChange(page.id)}
        />
      ))}
    </>
  );
}

interface CheckedProps extends Pick<Props, "evaluation" | "level"> {
  page: FormPage;
  emptySums: ReadonlySet<string>;
  currency: string;
  onChange: () => void;
}

function Checked({ page: { title, fields }, emptySums, currency, evaluation, level, onChange }: CheckedProps) {
  const { visible, answers } = evaluation;
  const lines = fields.flatMap((field) => {
    if (field.type === "statement" || field.type === "hidden" || !visible.has(field.id)) return [];
    const isEmpty = emptySums.has(field.id);
    const answer = answerTo(answers, field.id);
    const text = isEmpty ? "" : answerText(field, answer, currency);
    const strokes = answer !== undefined && isSignature(answer) ? answer.strokes : [];
    return [{ id: field.id, label: field.label, text, strokes, otherwise: isEmpty ? NOTHING_ENTERED : "Not answered" }];
  });
  if (lines.length === 0) return null;
  const Title = level === 1 ? "h2" : "h3";
  return (
    <section className="form-checked">
      <div className="form-checked-head">
        <Title>{title}</Title>
        <button type="button" className="form-link-button" onClick={onChange}>
          Change<span className="form-unseen"> {title}</span>
        </button>
      </div>
      <dl>
        {lines.map(({ id, label, text, strokes, otherwise }) => (
          <div key={id}>
            <dt>{label}</dt>
            <dd data-empty={text === "" || undefined}>
              {text || otherwise}
              {strokes.length > 0 && <DrawnSignature strokes={strokes} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
