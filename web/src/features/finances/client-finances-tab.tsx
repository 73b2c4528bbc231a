import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { remarksOn } from "@app/shared/finance-lines";
import { type Finances, ONLY_MEDIATORS_RECORD } from "@app/shared/finances";
import { answersFor } from "@app/shared/team-access";
import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { later } from "../../ui/later.tsx";
import { Section } from "../../ui/section.tsx";
import type { FinanceTask } from "./finance-tasks.ts";
import { Gaps, Mismatches } from "./finance-remarks.tsx";
import { NotDisclosing } from "./not-disclosing.tsx";
import { PartyDisclosure } from "./party-disclosure.tsx";
import { ProposedPairs } from "./proposed-pairs.tsx";
import { StatementCategories } from "./statement-categories.tsx";
import "./finances.css";

const FigureDialog = later(async () => (await import("./figure-dialog.tsx")).FigureDialog);
const AgreeDialog = later(async () => (await import("./agree-dialog.tsx")).AgreeDialog);
const ExchangeDialog = later(async () => (await import("./exchange-dialog.tsx")).ExchangeDialog);
const PairDialog = later(async () => (await import("./pair-dialog.tsx")).PairDialog);

/** What the participants of a case disclose of their finances, beside each other. */
export function ClientFinancesTab({ theCase }: { theCase: Case }) {
  const query = api.finances.get.useQuery({ caseId: theCase.id });
  return (
    <Loaded query={query} failureTitle="The finances of this case could not be read">
      {(finances) => <Statement theCase={theCase} finances={finances} />}
    </Loaded>
  );
}

interface Props {
  theCase: Case;
  finances: Finances;
}

function Statement({ theCase, finances }: Props) {
  const user = useCurrentUser();
  const [task, setTask] = useState<FinanceTask | null>(null);
  const mayChange = can(user, "clients.write");
  const mayRecord = mayChange && answersFor(user, theCase.mediators);
  const { parties, hiddenCount } = finances;
  const remarks = remarksOn(finances);
  const shared = { finances, mayChange, mayRecord, onTask: setTask };
  return (
    <>
      <Section
        title="Financial disclosure"
        action={
          mayRecord &&
          parties.length > 1 && (
            <Button size="xs" variant="default" onClick={() => setTask({ kind: "exchange" })}>
              Exchange disclosures
            </Button>
          )
        }
      >
        <ExchangeState finances={finances} />
        {hiddenCount > 0 && (
          <p className="finance-note">
            {hiddenCount === 1 ? "One figure is" : `${hiddenCount} figures are`} for the mediators of this case only, so
            totals here leave {hiddenCount === 1 ? "it" : "them"} out.
          </p>
        )}
        {mayChange && !mayRecord && <p className="quiet-text">{ONLY_MEDIATORS_RECORD}</p>}
        <div className="finance-parties">
          {parties.map((party) => (
            <PartyDisclosure key={party.partyId} party={party} {...shared} />
          ))}
        </div>
        <NotDisclosing finances={finances} mayRecord={mayRecord} />
      </Section>
      {mayChange && <ProposedPairs finances={finances} />}
      <Mismatches remarks={remarks} />
      <StatementCategories {...shared} />
      <Gaps remarks={remarks} />
      <OpenTask theCase={theCase} finances={finances} task={task} onClose={() => setTask(null)} />
    </>
  );
}

function ExchangeState({ finances: { exchange, figures, parties } }: { finances: Finances }) {
  const formats = useFormats();
  const waiting = figures.filter(({ isExchanged, isRemoved }) => !isExchanged && !isRemoved).length;
  if (!exchange)
    return (
      <p className="finance-note">
        Not exchanged yet: no participant is shown what the others disclosed, and no document says it.
      </p>
    );
  const names = exchange.consents.map(
    ({ partyId }) => parties.find((party) => party.partyId === partyId)?.name ?? "somebody who left",
  );
  return (
    <p className="finance-note">
      Exchanged on {formats.day(exchange.at)}, recorded by {exchange.byName}, with the consent of {names.join(" and ")}.
      {waiting > 0 &&
        ` ${waiting} ${waiting === 1 ? "figure is new or has changed" : "figures are new or have changed"} since, and not exchanged yet.`}
    </p>
  );
}

interface TaskProps extends Props {
  task: FinanceTask | null;
  onClose: () => void;
}

function OpenTask({ theCase, finances, task, onClose }: TaskProps) {
  if (task === null) return null;
  switch (task.kind) {
    case "figure": {
      const { partyId, category, figure } = task;
      const party = finances.parties.find((one) => one.partyId === partyId);
      if (!party) return null;
      const { currency } = finances;
      return <FigureDialog {...{ theCase, currency, party, category, figure, onClose }} />;
    }
    case "agree":
      return <AgreeDialog finances={finances} line={task.line} onClose={onClose} />;
    case "pair":
      return <PairDialog finances={finances} figure={task.figure} onClose={onClose} />;
    case "exchange":
      return <ExchangeDialog finances={finances} onClose={onClose} />;
  }
}
