import { CLOSING_DOCUMENTS, type Outcome } from "@app/shared/case-outcomes";
import { everSigned } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { Checkbox, Group, Input, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { CLOSING_DOCUMENT_NAMES } from "../cases/case-words.ts";

type Documents = Outcome["documents"];

interface Props {
  theCase: Case;
  documents: Documents;
  error: ReactNode;
  onChange: (documents: Documents) => void;
}

/** Which documents of the ending went to whom. */
export function ClosingDocuments({ theCase: { domain, parties }, documents, error, onChange }: Props) {
  const kinds = CLOSING_DOCUMENTS.filter((kind) => domain === "family" || kind === "memorandum");
  const readersOf = (kind: Documents[number]["kind"]) =>
    documents.find((document) => document.kind === kind)?.partyIds ?? [];
  const put = (kind: Documents[number]["kind"], partyIds: string[]) => {
    const others = documents.filter((document) => document.kind !== kind);
    onChange(partyIds.length > 0 ? [...others, { kind, partyIds }] : others);
  };
  return (
    <Stack gap="sm">
      {kinds.map((kind) => (
        <Checkbox.Group
          key={kind}
          label={`${CLOSING_DOCUMENT_NAMES[kind]} went to`}
          value={readersOf(kind)}
          onChange={(partyIds) => put(kind, partyIds)}
        >
          <Group gap="md" mt={4}>
            {parties.filter(everSigned).map(({ partyId, name }) => (
              <Checkbox key={partyId} value={partyId} label={name} />
            ))}
          </Group>
        </Checkbox.Group>
      ))}
      {error && <Input.Error>{error}</Input.Error>}
    </Stack>
  );
}
