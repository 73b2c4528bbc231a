import { useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { AddButton } from "../../ui/add-button.tsx";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";
import { TaskDialog } from "./task-dialog.tsx";
import { TaskList } from "./task-list.tsx";

interface Props {
  clientId: string;
  caseId: string | null;
  mayChange: boolean;
}

/** What is still to be done for a client. */
export function TaskSection({ clientId, caseId, mayChange }: Props) {
  const tasks = api.tasks.list.useQuery({ clientId });
  const [isAdding, setIsAdding] = useState(false);
  const add = <AddButton onClick={() => setIsAdding(true)}>Add task</AddButton>;
  return (
    <Section title="Tasks" count={tasks.data?.total || undefined} action={mayChange && add}>
      <Loaded query={tasks} failureTitle="The tasks could not be read">
        {({ items, total }) =>
          items.length === 0 ? (
            <p className="quiet-text">No open tasks.</p>
          ) : (
            <>
              <TaskList tasks={items} mayChange={mayChange} isLinked={false} />
              {total > items.length && (
                <TextLink to="/tasks" search={{ client: clientId }} fz="sm">
                  All {total} tasks
                </TextLink>
              )}
            </>
          )
        }
      </Loaded>
      {isAdding && <TaskDialog clientId={clientId} caseId={caseId} onClose={() => setIsAdding(false)} />}
    </Section>
  );
}
