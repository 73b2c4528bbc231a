import type { MarkedFiles } from "@app/shared/files";
import { Checkbox, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { markName } from "../files/mark-picker.tsx";

interface Values {
  fileIds: string[];
  to: string;
  hasReport: boolean;
  court: string;
}

interface Props {
  caseId: string;
  values: Values;
  errors: Record<string, string | undefined>;
  onChange: (change: Partial<Values>) => void;
}

/** What exactly may go, and to which addresses; nothing of it is chosen for you. */
export function DisclosureFields({ caseId, values, errors, onChange }: Props) {
  const query = api.files.marked.useQuery({ caseId });
  return (
    <>
      <Loaded query={query} failureTitle="The files of this case could not be read">
        {(files) => (
          <FilesField
            files={files}
            value={values.fileIds}
            error={errors["fileIds"]}
            onChange={(fileIds) => onChange({ fileIds })}
          />
        )}
      </Loaded>
      <Checkbox
        label="The report to a court: who came, and how it ended"
        checked={values.hasReport}
        onChange={(event) => onChange({ hasReport: event.currentTarget.checked })}
      />
      <TextInput
        label="Email addresses the files may go to"
        description="Separated by commas"
        value={values.to}
        error={errors["to"]}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
      />
      <TextInput
        label="Court the files may be put before"
        description="Leave it empty where they go to no court: a court pack has them only where it is named here"
        value={values.court}
        error={errors["court"]}
        onChange={(event) => onChange({ court: event.currentTarget.value })}
      />
    </>
  );
}

interface FilesProps {
  files: MarkedFiles;
  value: string[];
  error: string | undefined;
  onChange: (fileIds: string[]) => void;
}

function FilesField({ files: { items, isComplete }, value, error, onChange }: FilesProps) {
  const which =
    items.length === 0
      ? "This case has no file yet"
      : "No file of the case goes to a court, an employer or anybody else outside it without this";
  return (
    <Checkbox.Group
      label="Files that may go"
      description={isComplete ? which : `${which}. The newest ${items.length} are shown`}
      value={value}
      error={error}
      onChange={onChange}
    >
      <Stack gap="sm" pt="xs" className="disclosed">
        {items.map(({ id, name, mark }) => (
          <Checkbox key={id} value={id} label={name} description={markName(mark)} aria-invalid={error !== undefined} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
