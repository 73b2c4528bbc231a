import { SUBMISSION_STATUS_NAMES } from "@app/shared/submission-states";
import type { AnswerLine, Submission } from "@app/shared/submissions";
import { Anchor, Button, Group, Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { downloadOf } from "../../core/download.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ReviewList } from "./review-list.tsx";
import { SubmissionMoves } from "./submission-moves.tsx";
import { DrawnSignature } from "../questions/drawn-signature.tsx";
import { WhoseAnswers } from "./whose-answers.tsx";
import "./submissions.css";

interface Props {
  id: string;
  mayChange: boolean;
  onClose: () => void;
}

/** What somebody said in a form, and what of it is to change the client. */
export function SubmissionDialog({ id, mayChange, onClose }: Props) {
  const submission = api.submissions.get.useQuery({ id }, { staleTime: 0 });
  const title = submission.data
    ? `${submission.data.formName}: ${submission.data.clientName || "not assigned yet"}`
    : "Answers";
  return (
    <Dialog isOpen onClose={onClose} title={title} size="wide">
      <Loaded query={submission} failureTitle="The answers could not be read">
        {(data) => <Answered submission={data} mayChange={mayChange} />}
      </Loaded>
    </Dialog>
  );
}

function Answered({ submission, mayChange }: { submission: Submission; mayChange: boolean }) {
  const formats = useFormats();
  const { status, submittedAt, pages, flags, hiddenCount, proposals, isSuspect, formNumber, isAssignable } = submission;
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <Chip>{isSuspect ? "Spam?" : SUBMISSION_STATUS_NAMES[status]}</Chip>
        {submittedAt && <span className="quiet-text">{formats.dateTime(submittedAt)}</span>}
        <span className="quiet-text">· Version {formNumber} of the form</span>
        <Button size="xs" variant="default" {...downloadOf(`/export/submissions/${submission.id}.pdf`)}>
          PDF
        </Button>
      </Group>
      {flags.length > 0 && (
        <ul className="submission-flags">
          {flags.map((flag) => (
            <li key={flag}>{flag}</li>
          ))}
        </ul>
      )}
      {mayChange && isAssignable && !isSuspect && <WhoseAnswers submission={submission} />}
      {proposals.length > 0 && <ReviewList submission={submission} mayChange={mayChange} />}
      {pages.map(({ title, lines }) => (
        <section key={title}>
          <h3 className="submission-page">{title}</h3>
          <dl className="submission-lines">
            {lines.map((line) => (
              <Line key={line.fieldId} line={line} />
            ))}
          </dl>
        </section>
      ))}
      {pages.length === 0 && <p className="quiet-text">Nothing was answered that you may read.</p>}
      {hiddenCount > 0 && (
        <p className="quiet-text">
          {hiddenCount === 1 ? "1 question is" : `${hiddenCount} questions are`} for others to read: the mediator, or
          people who may read screenings.
        </p>
      )}
      {mayChange && <SubmissionMoves submission={submission} />}
    </Stack>
  );
}

function Line({ line: { label, text, files, strokes, sensitivity } }: { line: AnswerLine }) {
  return (
    <div>
      <dt>
        {label}
        {sensitivity === "mediator" && <Chip>Only the mediator</Chip>}
        {sensitivity === "screening" && <Chip>Screening</Chip>}
      </dt>
      <dd>
        {files.length > 0
          ? files.map(({ id, name }) => (
              <Anchor key={id} href={`/form-files/${id}`} download className="submission-file">
                {name}
              </Anchor>
            ))
          : text}
        {strokes.length > 0 && <DrawnSignature strokes={strokes} />}
      </dd>
    </div>
  );
}
