import type { Evaluation } from "@app/shared/form-evaluation";
import type { FormPage } from "@app/shared/form-content";
import type { OpenedForm } from "@app/shared/submissions";
import { Button } from "@mantine/core";
import { CheckedPages } from "../questions/checked-pages.tsx";
import type { Problem } from "../questions/problems.ts";
import { BackButton } from "./back-button.tsx";
import { SaveNote } from "./save-note.tsx";
import { type Sent, useSending } from "./use-sending.tsx";
import type { Filling } from "./use-filling.ts";

interface Props {
  opened: OpenedForm;
  filling: Filling;
  evaluation: Evaluation;
  /** With what is wrong there, where the server found something. */
  onChange: (pageId: string, problems?: readonly Problem[]) => void;
  onSent: (sent: Sent) => void;
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
  return (
    <>
      <CheckedPages content={content} evaluation={evaluation} onChange={onChange} level={1} />
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
