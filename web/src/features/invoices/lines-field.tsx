import { DESCRIPTION_MAX_LENGTH, LINES_MAX } from "@app/shared/invoices";
import { type Price, PRICE_KIND_NAMES, PRICE_KINDS } from "@app/shared/prices";
import { moneyText } from "@app/shared/answer-texts";
import { ActionIcon, Button, Menu, NativeSelect, TextInput } from "@mantine/core";
import { IconChecklist, IconPlus, IconX } from "@tabler/icons-react";
import { type RefObject, useRef } from "react";
import { flushSync } from "react-dom";
import { valueOf } from "../../core/form-values.ts";
import { AmountField } from "../../ui/amount-field.tsx";
import { emptyLine, isUntouched, lineNet, lineOfPrice, type LineValues, totalsOf } from "./invoice-lines.ts";

interface Props {
  lines: LineValues[];
  errors: Record<string, string>;
  currency: string;
  hasVat: boolean;
  prices: readonly Price[];
  onChange: (lines: LineValues[]) => void;
}

/** What is charged for: from the price list or typed, with what it comes to below. */
export function LinesField({ lines, errors, currency, hasVat, prices, onChange }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const set = (at: number, change: Partial<LineValues>) =>
    onChange(lines.map((line, index) => (index === at ? { ...line, ...change } : line)));
  const add = (line: LineValues) => {
    const last = lines.at(-1);
    const kept = last && isUntouched(last) ? lines.slice(0, -1) : lines;
    flushSync(() => onChange([...kept, line]));
    focusLine(list, kept.length);
  };
  const remove = (at: number) => {
    flushSync(() => onChange(lines.filter((_, index) => index !== at)));
    focusLine(list, Math.max(0, at - 1));
  };
  return (
    <div ref={list} className="invoice-lines" role="group" aria-label="Lines">
      {lines.map((line, at) => (
        <LineFields
          key={at}
          line={line}
          number={at + 1}
          currency={currency}
          hasVat={hasVat}
          errorOf={(field) => errors[`lines.${at}.${field}`]}
          onChange={(change) => set(at, change)}
          onRemove={lines.length > 1 ? () => remove(at) : undefined}
        />
      ))}
      {errors["lines"] && (
        <p className="invoice-error" role="alert">
          {errors["lines"]}
        </p>
      )}
      <div className="invoice-lines-foot">
        <LineAdders
          isFull={lines.length >= LINES_MAX}
          prices={prices}
          onPrice={(price) => add(lineOfPrice(price))}
          onEmpty={() => add(emptyLine(hasVat ? (lines.at(-1)?.vatRate ?? "") : "0"))}
        />
        <Sums lines={lines} currency={currency} hasVat={hasVat} />
      </div>
    </div>
  );
}

function focusLine(list: RefObject<HTMLDivElement | null>, at: number): void {
  list.current?.querySelectorAll<HTMLElement>("[data-line]")[at]?.querySelector("input")?.focus();
}

interface LineProps extends Pick<Props, "currency" | "hasVat"> {
  line: LineValues;
  number: number;
  errorOf: (field: keyof LineValues) => string | undefined;
  onChange: (change: Partial<LineValues>) => void;
  onRemove: (() => void) | undefined;
}

function LineFields({ line, number, currency, hasVat, errorOf, onChange, onRemove }: LineProps) {
  const net = lineNet(line, currency);
  const typed = (field: "description" | "quantity" | "unit" | "vatRate") => ({
    value: line[field],
    error: errorOf(field),
    onChange: (payload: unknown) => onChange({ [field]: String(valueOf(payload)) }),
  });
  return (
    <div className="invoice-line" role="group" aria-label={`Line ${number}`} data-line data-vat={hasVat || undefined}>
      <TextInput label="For" autoComplete="off" maxLength={DESCRIPTION_MAX_LENGTH} {...typed("description")} />
      <NativeSelect
        label="Kind"
        data={PRICE_KINDS.map((kind) => ({ value: kind, label: PRICE_KIND_NAMES[kind] }))}
        value={line.kind}
        onChange={({ currentTarget: { value } }) =>
          onChange({ kind: PRICE_KINDS.find((kind) => kind === value) ?? line.kind })
        }
      />
      <TextInput label="Quantity" inputMode="decimal" autoComplete="off" {...typed("quantity")} />
      <AmountField label={hasVat ? "Price without VAT" : "Price"} currency={currency} isPlain {...typed("unit")} />
      {hasVat && <TextInput label="VAT, %" inputMode="decimal" autoComplete="off" {...typed("vatRate")} />}
      <span className="invoice-line-sum tabular">{net === null ? "–" : moneyText(net, currency)}</span>
      {onRemove && (
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove line ${number}`} onClick={onRemove}>
          <IconX size={16} stroke={1.7} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}

interface AdderProps {
  isFull: boolean;
  prices: readonly Price[];
  onPrice: (price: Price) => void;
  onEmpty: () => void;
}

function LineAdders({ isFull, prices, onPrice, onEmpty }: AdderProps) {
  return (
    <div className="invoice-adders">
      {prices.length > 0 && (
        <Menu position="bottom-start" returnFocus={false}>
          <Menu.Target>
            <Button
              size="xs"
              variant="default"
              disabled={isFull}
              leftSection={<IconChecklist size={14} stroke={1.7} aria-hidden />}
            >
              From the price list
            </Button>
          </Menu.Target>
          <Menu.Dropdown className="invoice-prices">
            {prices.map((price) => (
              <Menu.Item
                key={price.id}
                rightSection={<span className="tabular">{moneyText(price.amountMinor, price.currency)}</span>}
                onClick={() => onPrice(price)}
              >
                {price.name} <span className="quiet-text">{price.code}</span>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Button
        size="xs"
        variant="default"
        disabled={isFull}
        leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}
        onClick={onEmpty}
      >
        Add a line
      </Button>
      {isFull && <span className="quiet-text">An invoice has at most {LINES_MAX} lines.</span>}
    </div>
  );
}

/** As far as it is typed; the server's own sums stand once it is saved. */
function Sums({ lines, currency, hasVat }: Pick<Props, "lines" | "currency" | "hasVat">) {
  const { netMinor, vatMinor, grossMinor } = totalsOf(lines, currency);
  return (
    <dl className="invoice-sums" aria-live="polite">
      {hasVat && (
        <>
          <div>
            <dt>Without VAT</dt>
            <dd>{moneyText(netMinor, currency)}</dd>
          </div>
          <div>
            <dt>VAT</dt>
            <dd>{moneyText(vatMinor, currency)}</dd>
          </div>
        </>
      )}
      <div className="invoice-sums-total">
        <dt>Total</dt>
        <dd>{moneyText(grossMinor, currency)}</dd>
      </div>
    </dl>
  );
}
