import type { Submission } from "@app/shared/submissions";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { Panel } from "../../ui/panel.tsx";

interface Props {
  caseId: string;
  party: { partyId: string; name: string };
}

/** What this party answered before, to read beside the talk. None of it is entered for whoever screens. */
export function SafetyAnswers({ caseId, party: { partyId, name } }: Props) {
  const answers = api.submissions.safetyAnswers.useQuery({ caseId, partyId }, { staleTime: 0 });
  return (
    <Loaded query={answers} failureTitle={`What ${name} answered before could not be read`}>
      {({ items, total }) =>
        items.length > 0 && (
          <Panel title={`${name} answered questions about safety before this`}>
            Read them for yourself, and ask about them. What you find you enter below: nothing is filled in from them.
            {items.map((submission) => (
              <Answered key={submission.id} submission={submission} />
            ))}
            {total > items.length && (
              <p className="quiet-text">{total - items.length} earlier: on the client’s page, under Forms.</p>
            )}
          </Panel>
        )
      }
    </Loaded>
  );
}

function Answered({ submission: { formName, submittedAt, flags, pages } }: { submission: Submission }) {
  const formats = useFormats();
  const lines = pages.flatMap((page) => page.lines);
  return (
    <details className="safety-answers">
      <summary>
        {formName}
        {submittedAt && `, ${formats.dateTime(submittedAt)}`}
        {flags.length > 0 && ` · ${flags.length === 1 ? "1 thing" : `${flags.length} things`} to look at`}
      </summary>
      {flags.length > 0 && (
        <ul>
          {flags.map((flag) => (
            <li key={flag}>{flag}</li>
          ))}
        </ul>
      )}
      <dl>
        {lines.map(({ fieldId, label, text }) => (
          <div key={fieldId}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
