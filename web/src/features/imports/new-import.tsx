import { IMPORT_KIND_NAMES, type ImportKind } from "@app/shared/import-states";
import { IMPORT_MAX_BYTES } from "@app/shared/imports";
import { sizeText } from "@app/shared/files";
import { importableKinds } from "@app/shared/team-access";
import { Button, FileButton, Progress, SegmentedControl } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { useCurrentUser } from "../../core/session.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";
import { useSendImport } from "./use-send-import.ts";
import "./imports.css";

const ORDER: Record<ImportKind, string> = {
  clients:
    "One row for each client. Names, birth dates, addresses and how somebody may be reached safely have their columns.",
  contacts: "One row for each solicitor, referrer, interpreter or other contact.",
  cases: "One row for each case. Its parties are found by email or name, so import the clients first.",
  meetings: "One row for each meeting. Clients and cases are found by email, name or reference, so import those first.",
};

/** Chooses what is imported, and the file. */
export function NewImport({ kind }: { kind: ImportKind }) {
  const navigate = useNavigate();
  const kinds = importableKinds(useCurrentUser());
  const resetChoice = useRef<() => void>(null);
  const { sent, failure, send } = useSendImport(kind);
  const take = (file: File | null | undefined) => {
    resetChoice.current?.();
    if (file) void send(file);
  };
  return (
    <Section
      title="Import a list"
      action={
        <TextLink to="/account" search={{ tab: "data" }}>
          All imports
        </TextLink>
      }
    >
      <div
        className="import-new"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer.files[0]);
        }}
      >
        <SegmentedControl
          data={kinds.map((each) => ({ value: each, label: IMPORT_KIND_NAMES[each] }))}
          value={kind}
          onChange={(value) => void navigate({ to: "/account", search: { tab: "data", import: value }, replace: true })}
          aria-label="What the file holds"
          disabled={sent !== null}
        />
        <p className="import-text">{ORDER[kind]}</p>
        {failure && <FormFailure>{failure}</FormFailure>}
        {sent ? (
          <div className="import-sending">
            <span className="quiet-text">{sent.share < 1 ? `Sending ${sent.name}` : `Reading ${sent.name}`}</span>
            <Progress size={6} value={sent.share * 100} aria-label={`Sending ${sent.name}`} />
            <Button variant="default" onClick={sent.cancel}>
              Stop sending
            </Button>
          </div>
        ) : (
          <FileButton resetRef={resetChoice} accept=".csv,.tsv,.txt,.xlsx" onChange={take}>
            {(props) => (
              <Button {...props} leftSection={<IconUpload size={16} stroke={1.7} />}>
                Choose a file
              </Button>
            )}
          </FileButton>
        )}
        <p className="quiet-text">
          CSV or Excel (.xlsx), the headings in the first row, at most {sizeText(IMPORT_MAX_BYTES)} and 100,000 rows.
          You can also drop the file here. Nothing is stored as {IMPORT_KIND_NAMES[kind].toLowerCase()} before you have
          seen what would happen.
        </p>
      </div>
    </Section>
  );
}
