import { moneyText } from "@app/shared/answer-texts";
import { CONFIRMED_AT_ONCE } from "@app/shared/bank-columns";
import type { SureLine } from "@app/shared/bank-statements";
import { Button, Progress } from "@mantine/core";
import { useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { useBankChanged } from "./use-bank-act.ts";

interface Props {
  id: string;
  onClose: () => void;
}

/** Lists all of which no doubt is left, and records exactly those. */
export function ConfirmSureDialog({ id, onClose }: Props) {
  const sure = api.bankStatements.sure.useQuery({ id }, { staleTime: 0, refetchOnWindowFocus: false });
  const run = useConfirmAll(id);
  const items = run.begun ?? sure.data?.items;
  const count = items?.length ?? 0;
  const footer = run.isOver ? (
    <BackButton>Close</BackButton>
  ) : run.begun ? (
    <Button variant="default" onClick={run.stop}>
      Stop after these
    </Button>
  ) : (
    <>
      <BackButton />
      <Button disabled={count === 0} onClick={() => items && void run.start(items)}>
        {count === 1 ? "Record this payment" : `Record these ${count} payments`}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title="Confirm all sure ones" size="form" footer={footer}>
      {run.failure && <FormFailure>{run.failure}</FormFailure>}
      {run.begun ? (
        <Going done={run.done} recorded={run.recorded} total={count} isOver={run.isOver} />
      ) : (
        <Loaded query={sure} failureTitle="What is sure could not be read">
          {(found) => <SureList items={found.items} />}
        </Loaded>
      )}
    </Dialog>
  );
}

function SureList({ items }: { items: readonly SureLine[] }) {
  const formats = useFormats();
  if (items.length === 0) return <p>No line is sure: each needs somebody who looks at it. Confirm them one by one.</p>;
  return (
    <>
      <p>
        The number of the invoice is in the reference, the amount is exactly what is due, and nothing else fits. Each is
        recorded as a bank transfer: {totalsOf(items)} in all.
      </p>
      <ul className="bank-sure">
        {items.map(({ lineId, invoiceNumber, payerName, on, amountMinor, currency }) => (
          <li key={lineId}>
            <span className="tabular">{formats.calendarDay(on)}</span>
            <span>
              {invoiceNumber}, {payerName}
            </span>
            <span className="tabular">{moneyText(amountMinor, currency)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function totalsOf(items: readonly SureLine[]): string {
  const sums = new Map<string, number>();
  for (const { currency, amountMinor } of items) sums.set(currency, (sums.get(currency) ?? 0) + amountMinor);
  return [...sums].map(([currency, sum]) => moneyText(sum, currency)).join(" and ");
}

interface GoingProps {
  done: number;
  recorded: number;
  total: number;
  isOver: boolean;
}

const Going = ({ done, recorded, total, isOver }: GoingProps) => (
  <div className="bank-going" role="status">
    <span>
      {isOver
        ? `${recorded} of ${total} recorded.${recorded < total ? " The others stay to be decided: look at each of them." : ""}`
        : `Recording ${done} of ${total}`}
    </span>
    <Progress size={6} value={(done / Math.max(1, total)) * 100} aria-label="Recording payments" />
  </div>
);

/** A few at a time, so that it can be stopped in between; what was recorded stays. */
function useConfirmAll(id: string) {
  const changed = useBankChanged();
  const confirmSure = api.bankStatements.confirmSure.useMutation();
  const isStopped = useRef(false);
  const [begun, setBegun] = useState<readonly SureLine[] | null>(null);
  const [count, setCount] = useState({ done: 0, recorded: 0 });
  const [isOver, setIsOver] = useState(false);
  const [failure, setFailure] = useState("");
  const start = async (lines: readonly SureLine[]) => {
    setBegun(lines);
    let [done, recorded] = [0, 0];
    try {
      while (done < lines.length && !isStopped.current) {
        const items = lines
          .slice(done, done + CONFIRMED_AT_ONCE)
          .map(({ lineId, invoiceId }) => ({ lineId, invoiceId }));
        recorded += (await confirmSure.mutateAsync({ id, items })).recorded;
        done += items.length;
        setCount({ done, recorded });
      }
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setIsOver(true);
      await changed();
    }
  };
  return { begun, ...count, isOver, failure, start, stop: () => void (isStopped.current = true) };
}
