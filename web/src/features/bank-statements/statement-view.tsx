import {
  BANK_LINE_STATE_NAMES,
  BANK_LINE_STATES,
  type BankLineState,
  STATEMENT_KEPT_DAYS,
} from "@app/shared/bank-columns";
import type { BankStatement } from "@app/shared/bank-statements";
import { PAGE_SIZE } from "@app/shared/product";
import { Button, SegmentedControl } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { later } from "../../ui/later.tsx";
import { TextLink } from "../../ui/links.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Section } from "../../ui/section.tsx";
import { BankLineRow } from "./bank-line-row.tsx";
import { type BankSearch } from "./bank-search.ts";
import { linesInput, linesShown } from "./bank-input.ts";

const ConfirmSureDialog = later(async () => (await import("./confirm-sure-dialog.tsx")).ConfirmSureDialog);

/** One statement: what came in by it, and what became of that. */
export function StatementView({ search }: { search: BankSearch }) {
  const statement = api.bankStatements.get.useQuery({ id: search.statement ?? "" });
  return (
    <Loaded query={statement} failureTitle="This bank statement could not be read">
      {(found) => <Statement statement={found} search={search} />}
    </Loaded>
  );
}

function Statement({ statement, search }: { statement: BankStatement; search: BankSearch }) {
  const formats = useFormats();
  const [isConfirming, setIsConfirming] = useState(false);
  const { id, fileName, notes, importedAt, importedByName, counts } = statement;
  return (
    <Section
      title={fileName}
      action={
        <TextLink to="/payment-settings" search={{ tab: "bank" }}>
          All statements
        </TextLink>
      }
    >
      <p className="bank-text">
        Imported {formats.dateTime(importedAt)} by {importedByName}.{notes.map((note) => ` ${note}`)}
      </p>
      <div className="bank-actions">
        <Shown statement={statement} search={search} />
        {counts.open > 0 && <Button onClick={() => setIsConfirming(true)}>Confirm all sure ones</Button>}
        <DeleteStatementButton statement={statement} />
      </div>
      <Lines search={search} />
      {isConfirming && <ConfirmSureDialog id={id} onClose={() => setIsConfirming(false)} />}
    </Section>
  );
}

function Shown({ statement: { counts }, search }: { statement: BankStatement; search: BankSearch }) {
  const navigate = useNavigate();
  const show = (value: string) => {
    const lines = BANK_LINE_STATES.find((known) => known === value);
    const { page: _page, lines: _lines, ...open } = search;
    void navigate({ to: "/payment-settings", search: lines === "open" || !lines ? open : { ...open, lines } });
  };
  return (
    <SegmentedControl
      aria-label="Which lines are shown"
      value={linesShown(search)}
      onChange={show}
      data={BANK_LINE_STATES.map((value) => ({ value, label: `${BANK_LINE_STATE_NAMES[value]} ${counts[value]}` }))}
    />
  );
}

const NOTHING: Record<BankLineState, string> = {
  open: "Everything on this statement is decided.",
  recorded: "Nothing of this statement is recorded yet.",
  set_aside: "Nothing of this statement is set aside.",
};

function Lines({ search }: { search: BankSearch }) {
  const navigate = useNavigate();
  const input = linesInput(search);
  const list = api.bankStatements.lines.useQuery(input, { placeholderData: keepPreviousData });
  const { page } = input;
  return (
    <Loaded query={list} failureTitle="The lines of this statement could not be read">
      {({ items, total, isTotalExact }) => (
        <>
          {items.length === 0 && <p className="bank-text">{NOTHING[input.state]}</p>}
          <ul className="bank-lines" aria-label="Lines of the statement">
            {items.map((line) => (
              <BankLineRow key={line.id} line={line} />
            ))}
          </ul>
          <Pager
            page={page}
            pageSize={PAGE_SIZE}
            total={total}
            isTotalExact={isTotalExact}
            words={["line", "lines"]}
            onPage={(next) => void navigate({ to: "/payment-settings", search: { ...search, page: next } })}
          />
        </>
      )}
    </Loaded>
  );
}

function DeleteStatementButton({ statement: { id, fileName, counts } }: { statement: BankStatement }) {
  const navigate = useNavigate();
  const utils = api.useUtils();
  const [isAsking, setIsAsking] = useState(false);
  const remove = api.bankStatements.remove.useMutation();
  const confirm = async () => {
    try {
      await remove.mutateAsync({ id });
      notify("Statement deleted");
      await navigate({ to: "/payment-settings", search: { tab: "bank" } });
      await utils.bankStatements.invalidate();
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return (
    <>
      <Button variant="default" onClick={() => setIsAsking(true)}>
        Delete statement
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Delete ${fileName}?`}
        confirmLabel="Delete statement"
        isBusy={remove.isPending}
        onConfirm={() => void confirm()}
      >
        <p>
          {counts.open > 0 && `${counts.open} ${counts.open === 1 ? "line is" : "lines are"} not decided yet. `}
          Payments that were recorded from it stay. Without this it is deleted {STATEMENT_KEPT_DAYS} days after it was
          imported.
        </p>
      </ConfirmDialog>
    </>
  );
}
