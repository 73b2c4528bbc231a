import type { Outcome } from "@app/shared/case-outcomes";
import { everSigned } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { CLOSING_DOCUMENTS } from "@app/shared/closing-documents";
import { Checkbox, Group, Input, NativeSelect, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { api } from "../../core/api.ts";
import { CLOSING_DOCUMENT_NAMES } from "../cases/case-words.ts";

type Documents = Outcome["documents"];
type Kind = Documents[number]["kind"];

interface Props {
  theCase: Case;
  documents: Documents;
  error: ReactNode;
  onChange: (documents: Documents) => void;
}

/** Which documents of the ending went to whom, and where each of them is. */
export function ClosingDocuments({ theCase: { id: caseId, domain, parties }, documents, error, onChange }: Props) {
  const kinds = CLOSING_DOCUMENTS.filter((kind) => domain === "family" || kind === "memorandum");
  const { data: files } = api.files.marked.useQuery({ caseId }, { enabled: documents.length > 0 });
  const put = (kind: Kind, change: Partial<Documents[number]>) => {
    const before = documents.find((document) => document.kind === kind);
    const after = { kind, partyIds: [], fileId: "", isMadeOutside: false, ...before, ...change };
    const others = documents.filter((document) => document.kind !== kind);
    onChange(after.partyIds.length > 0 ? [...others, after] : others);
  };
  return (
    <Stack gap="sm">
      {kinds.map((kind) => {
        const document = documents.find((one) => one.kind === kind);
        return (
          <Stack key={kind} gap={4}>
            <Checkbox.Group
              label={`${CLOSING_DOCUMENT_NAMES[kind]} went to`}
              value={document?.partyIds ?? []}
              onChange={(partyIds) => put(kind, { partyIds })}
            >
              <Group gap="md" mt={4}>
                {parties.filter(everSigned).map(({ partyId, name }) => (
                  <Checkbox key={partyId} value={partyId} label={name} />
                ))}
              </Group>
            </Checkbox.Group>
            {document && <PaperField document={document} files={files?.items ?? []} onChange={put} />}
          </Stack>
        );
      })}
      {error && <Input.Error>{error}</Input.Error>}
    </Stack>
  );
}

const OUTSIDE = "outside";

interface PaperProps {
  document: Documents[number];
  files: readonly { id: string; name: string }[];
  onChange: (kind: Kind, change: Partial<Documents[number]>) => void;
}

function PaperField({ document: { kind, fileId, isMadeOutside }, files, onChange }: PaperProps) {
  return (
    <NativeSelect
      label={`Which paper is the ${CLOSING_DOCUMENT_NAMES[kind].toLowerCase()}?`}
      data={[
        { value: "", label: "Choose the paper" },
        { value: OUTSIDE, label: "It was made outside, and is not on file here" },
        ...files.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={isMadeOutside ? OUTSIDE : fileId}
      onChange={({ currentTarget: { value } }) =>
        onChange(kind, { fileId: value === OUTSIDE ? "" : value, isMadeOutside: value === OUTSIDE })
      }
    />
  );
}
