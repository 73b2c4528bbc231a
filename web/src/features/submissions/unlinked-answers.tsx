import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { LoadedPage } from "../../core/loaded-page.tsx";
import { Section } from "../../ui/section.tsx";
import { AnswersState } from "./answers-state.tsx";

/** What a client answered without a link of their own, and somebody of the practice said is theirs. */
export function UnlinkedAnswers({ clientId, onOpen }: { clientId: string; onOpen: (submissionId: string) => void }) {
  const formats = useFormats();
  const [page, setPage] = useState(1);
  const answers = api.submissions.list.useQuery(
    { clientId, isUnlinked: true, page },
    { placeholderData: keepPreviousData },
  );
  if (!answers.data?.total) return null;
  return (
    <Section title="Answered by a general link">
      <LoadedPage
        query={answers}
        failureTitle="The answers of this client could not be read"
        page={page}
        words={["answer", "answers"]}
        onPage={setPage}
        empty={null}
      >
        {(items) => (
          <ul className="form-links">
            {items.map(({ id, formName, submittedAt, ...row }) => (
              <li key={id} className="form-link">
                <div className="form-link-what">
                  <strong>{formName}</strong>
                  <AnswersState row={row} />
                  {submittedAt && <span className="quiet-text">{formats.dateTime(submittedAt)}</span>}
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Read answers: ${formName}`}
                    onClick={() => onOpen(id)}
                  >
                    Read answers
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
      </LoadedPage>
    </Section>
  );
}
