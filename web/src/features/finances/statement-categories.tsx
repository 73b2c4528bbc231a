import { FINANCE_CATEGORIES, FINANCE_CATEGORY_NAMES, type FinanceCategory } from "@app/shared/finance-categories";
import { type FinanceLine, linesOfFinances, totalsOf } from "@app/shared/finance-lines";
import type { DisclosingParty, Finances } from "@app/shared/finances";
import { Checkbox } from "@mantine/core";
import { api } from "../../core/api.ts";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { Section } from "../../ui/section.tsx";
import { CellName } from "./cell-name.tsx";
import type { StatementProps } from "./finance-tasks.ts";
import { amountText } from "./finance-words.ts";
import { StatementLine } from "./statement-line.tsx";
import { useFinanceAct } from "./use-finances.ts";

/** Category by category: what each said, and what counts. */
export function StatementCategories(props: StatementProps) {
  const lines = linesOfFinances(props.finances);
  return FINANCE_CATEGORIES.map((category) => (
    <Category
      key={category}
      {...props}
      category={category}
      lines={lines.filter((line) => line.category === category)}
    />
  ));
}

function Category({ category, lines, ...props }: StatementProps & { category: FinanceCategory; lines: FinanceLine[] }) {
  const { finances, mayChange } = props;
  const { parties } = finances;
  const columns = { gridTemplateColumns: `minmax(120px, 1.1fr) repeat(${parties.length + 1}, minmax(0, 1fr))` };
  const empty = parties.filter(
    (party) => !lines.some(({ figures }) => figures.some((one) => one.partyId === party.partyId)),
  );
  return (
    <Section title={FINANCE_CATEGORY_NAMES[category]} count={lines.length || undefined}>
      {lines.length > 0 && (
        <div className="finance-head" style={columns} aria-hidden>
          <span>What</span>
          {parties.map(({ partyId, label, name }) => (
            <span key={partyId}>
              <PartyMarker label={label} /> {name}
            </span>
          ))}
          <span>Agreed</span>
        </div>
      )}
      {lines.length > 0 && (
        <ul className="finance-lines" aria-label={FINANCE_CATEGORY_NAMES[category]}>
          {lines.map((line) => (
            <StatementLine key={line.key} {...props} line={line} columns={columns} />
          ))}
          <TotalLine lines={lines} finances={finances} columns={columns} />
        </ul>
      )}
      <div className="finance-none">
        {empty.map((party) => (
          <NoneBox key={party.partyId} party={party} category={category} finances={finances} mayChange={mayChange} />
        ))}
      </div>
    </Section>
  );
}

interface TotalProps {
  lines: readonly FinanceLine[];
  finances: Finances;
  columns: { gridTemplateColumns: string };
}

function TotalLine({ lines, finances: { parties, currency }, columns }: TotalProps) {
  const { own, isAnyJoint, jointMinor } = totalsOf(lines, parties);
  return (
    <li className="finance-line finance-total" style={columns}>
      <strong>Together</strong>
      {own.map(({ partyId, amountMinor }) => (
        <span key={partyId} className="finance-cell">
          <CellName party={parties.find((one) => one.partyId === partyId)} />
          <strong className="tabular">{amountText(amountMinor, currency)}</strong>
        </span>
      ))}
      <span className="finance-cell">
        {isAnyJoint && `Joint: ${jointMinor === null ? "not settled" : amountText(jointMinor, currency)}`}
      </span>
    </li>
  );
}

interface NoneProps {
  party: DisclosingParty;
  category: FinanceCategory;
  finances: Finances;
  mayChange: boolean;
}

/** That somebody says they have nothing of a kind is not the same as saying nothing. */
function NoneBox({ party, category, finances, mayChange }: NoneProps) {
  const act = useFinanceAct();
  const save = api.finances.setNone.useMutation();
  const { partyId, name, noneIn } = party;
  const { caseId, version } = finances;
  const isNone = noneIn.includes(category);
  if (!mayChange)
    return <p className="quiet-text">{isNone ? `${name} says there is nothing` : `Nothing of ${name} yet`}</p>;
  return (
    <Checkbox
      label={`${name} says there is nothing here`}
      checked={isNone}
      disabled={save.isPending}
      onChange={({ currentTarget: { checked } }) =>
        void act(save.mutateAsync({ caseId, version, partyId, category, isNone: checked }), "Recorded")
      }
    />
  );
}
