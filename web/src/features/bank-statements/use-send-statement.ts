import { type BankColumnOrNone, STATEMENT_MAX_BYTES } from "@app/shared/bank-columns";
import { type BankTable, uploadedStatementSchema } from "@app/shared/bank-statements";
import { sizeText } from "@app/shared/files";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { makeId } from "../../core/new-id.ts";
import { sendFile } from "../../core/send-file.ts";

/** A table that is asked about; the file itself stays here until its columns are known. */
export interface Asked {
  file: File;
  table: BankTable;
}
interface Said {
  columns: BankColumnOrNone[];
  dateOrder: BankTable["dateOrder"];
}
interface Sent {
  name: string;
  cancel: () => void;
}

/** Sends the file of a bank, asks what its columns are where it does not say, and opens the statement that it becomes. */
export function useSendStatement() {
  const navigate = useNavigate();
  const utils = api.useUtils();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [sent, setSent] = useState<Sent | null>(null);
  const [failure, setFailure] = useState("");

  async function send(file: File, said?: Said): Promise<void> {
    setFailure("");
    if (file.size > STATEMENT_MAX_BYTES)
      return setFailure(
        `This file has ${sizeText(file.size)}. Choose a shorter period, so that it has at most ${sizeText(STATEMENT_MAX_BYTES)}.`,
      );
    const upload = { id: makeId(), name: file.name.normalize("NFC"), columns: null, dateOrder: null, ...said };
    const address = `/bank-statements?upload=${encodeURIComponent(JSON.stringify(upload))}`;
    const { done, cancel } = sendFile(file, address, () => undefined);
    setSent({ name: file.name, cancel });
    try {
      const answer = uploadedStatementSchema.parse(JSON.parse(await done));
      if (answer.outcome === "asks_columns") return setAsked({ file, table: answer.table });
      await utils.bankStatements.invalidate();
      await navigate({ to: "/payment-settings", search: { tab: "bank", statement: answer.statement.id } });
    } catch (error) {
      const isCancelled = error instanceof DOMException && error.name === "AbortError";
      setFailure(isCancelled || !(error instanceof Error) ? "" : error.message);
    } finally {
      setSent(null);
    }
  }

  const forget = () => {
    setAsked(null);
    setFailure("");
  };
  return { asked, sent, failure, send, forget };
}
