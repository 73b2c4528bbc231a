import { STATEMENT_KEPT_DAYS, STATEMENT_MAX_BYTES } from "@app/shared/bank-columns";
import { sizeText } from "@app/shared/files";
import { Button, FileButton, Loader } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useRef } from "react";
import { FormFailure } from "../../ui/form-failure.tsx";
import { Section } from "../../ui/section.tsx";
import { StatementColumns } from "./statement-columns.tsx";
import { useSendStatement } from "./use-send-statement.ts";

/** Chooses the file of a bank, and says what its columns are. */
export function NewStatement() {
  const resetChoice = useRef<() => void>(null);
  const { asked, sent, failure, send, forget } = useSendStatement();
  const take = (file: File | null | undefined) => {
    resetChoice.current?.();
    if (file) void send(file);
  };
  if (asked)
    return (
      <Section title={`What ${asked.file.name} holds`}>
        <StatementColumns
          table={asked.table}
          failure={failure}
          isSending={sent !== null}
          onSaid={(said) => void send(asked.file, said)}
          onBack={forget}
        />
      </Section>
    );
  return (
    <Section title="Import a bank statement">
      <div
        className="bank-new"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          take(event.dataTransfer.files[0]);
        }}
      >
        <p className="bank-text">
          Export the account from your bank as CSV, OFX or CAMT.053 and choose the file. Each amount that came in is
          shown with the invoice that it may be for. Nothing is recorded before you confirm it.
        </p>
        {failure && <FormFailure>{failure}</FormFailure>}
        {sent ? (
          <div className="bank-sending" role="status">
            <Loader size={14} aria-hidden /> Reading {sent.name}
            <Button variant="default" size="compact-sm" onClick={sent.cancel}>
              Stop
            </Button>
          </div>
        ) : (
          <FileButton resetRef={resetChoice} accept=".csv,.tsv,.txt,.ofx,.qfx,.xml" onChange={take}>
            {(props) => (
              <Button {...props} leftSection={<IconUpload size={16} stroke={1.7} />}>
                Choose a file
              </Button>
            )}
          </FileButton>
        )}
        <p className="quiet-text">
          At most {sizeText(STATEMENT_MAX_BYTES)} and 2,000 amounts that came in. The file is read and not kept, and
          what went out is left out. What came in is kept for {STATEMENT_KEPT_DAYS} days, or until you delete it. You
          can also drop the file here.
        </p>
      </div>
    </Section>
  );
}
