import type { FormContent, FormPage } from "@app/shared/form-content";
import type { Evaluation } from "@app/shared/form-evaluation";
import { Button } from "@mantine/core";
import type { Problem } from "../questions/problems.ts";
import { QuestionPage } from "../questions/question-page.tsx";
import type { FileWays } from "../questions/question-props.ts";
import { BackButton } from "./back-button.tsx";
import { SaveNote } from "./save-note.tsx";
import type { Filling } from "./use-filling.ts";

interface Props {
  page: FormPage;
  content: FormContent;
  filling: Filling;
  evaluation: Evaluation;
  problems: readonly Problem[];
  files: FileWays;
  onContinue: () => void;
  onLater: () => void;
  back: { to: number; onBack: () => void } | null;
}

/** One page of the form. */
export function FormStep({ filling, onContinue, onLater, back, ...asked }: Props) {
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onContinue();
      }}
    >
      <QuestionPage {...asked} answers={filling.answers} onAnswer={filling.answer} level={1} />
      <div className="form-buttons">
        <Button type="submit" size="lg" fullWidth>
          Continue
        </Button>
        <Button variant="default" size="lg" fullWidth onClick={onLater}>
          Save and continue later
        </Button>
        {back && <BackButton {...back} />}
        <SaveNote filling={filling} />
      </div>
    </form>
  );
}
