import { agreedMinor, type FinanceLine, saidByAll } from "@app/shared/finance-lines";
import type { DisclosingParty, Figure } from "@app/shared/finances";
import { ActionIcon, Button, Menu } from "@mantine/core";
import { IconDots, IconEdit, IconLink, IconTrash, IconUnlink } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { Chip } from "../../ui/chip.tsx";
import { amountText, ownerText, sourceText } from "./finance-words.ts";
import { CellName } from "./cell-name.tsx";
import type { StatementProps } from "./finance-tasks.ts";
import { useFinanceAct, useFinancesChanged } from "./use-finances.ts";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

interface Props extends StatementProps {
  line: FinanceLine;
  columns: { gridTemplateColumns: string };
}

/** One thing: what each said of it beside what the others did, and what they agree. */
export function StatementLine(props: Props) {
  const { line, finances, columns } = props;
  const isJoint = line.figures.some(({ owner }) => owner === "joint");
  return (
    <li className="finance-line" style={columns}>
      <span className="finance-what">
        <strong>{line.label}</strong>
        {isJoint && <Chip tone="outline">Joint</Chip>}
      </span>
      {finances.parties.map((party) => (
        <FigureCell
          key={party.partyId}
          {...props}
          party={party}
          figure={line.figures.find(({ partyId }) => partyId === party.partyId) ?? null}
        />
      ))}
      <AgreedCell {...props} />
    </li>
  );
}

interface CellProps extends Props {
  party: DisclosingParty;
  figure: Figure | null;
}

function FigureCell({ party, figure, finances, line, mayChange, onTask }: CellProps) {
  const formats = useFormats();
  if (!figure)
    return (
      <span className="finance-cell" data-empty>
        <CellName party={party} />
        <span aria-label={`${party.name}: nothing`}>–</span>
      </span>
    );
  const { amountMinor, asOf, source, evidenceName, evidenceFileId, isExchanged, label } = figure;
  const owner = ownerText(figure);
  return (
    <span className="finance-cell">
      <CellName party={party} />
      <span className="finance-amount">
        <strong className="tabular">{amountText(amountMinor, finances.currency)}</strong>
        {mayChange && <FigureMenu figure={figure} finances={finances} line={line} onTask={onTask} />}
      </span>
      <span className="quiet-text">
        {[
          label !== line.label && label,
          owner && owner !== "" && figure.owner !== "joint" && owner,
          asOf === "" ? "no date" : `as of ${formats.calendarDay(asOf)}`,
        ]
          .filter(Boolean)
          .join(", ")}
      </span>
      <span className="quiet-text">
        {sourceText(source, formats)}
        {evidenceFileId !== null && `. Shown by ${evidenceName || "a file that you may not read"}`}
      </span>
      {!isExchanged && <span className="quiet-text finance-waiting">Not exchanged</span>}
    </span>
  );
}

interface MenuProps extends Pick<Props, "finances" | "line" | "onTask"> {
  figure: Figure;
}

function FigureMenu({ figure, finances, line, onTask }: MenuProps) {
  const changed = useFinancesChanged();
  const act = useFinanceAct();
  const remove = api.finances.setFigureRemoved.useMutation();
  const pair = api.finances.pair.useMutation();
  const { id, label, partyId, category } = figure;
  const { caseId, version } = finances;
  const figureIds = line.figures.map((one) => one.id);
  const setRemoved = (isRemoved: boolean): Promise<void> =>
    remove.mutateAsync({ id, isRemoved }).then(
      async () => {
        await changed();
        notify(isRemoved ? `${label} is removed` : `${label} is back`, {
          label: "Undo",
          onAct: () => void setRemoved(!isRemoved),
        });
      },
      (error: unknown) => notifyError(messageOf(error)),
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`More for ${label}`}>
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconEdit {...icon} />}
          onClick={() => onTask({ kind: "figure", partyId, category, figure })}
        >
          Change
        </Menu.Item>
        {line.isPaired ? (
          <Menu.Item
            leftSection={<IconUnlink {...icon} />}
            onClick={() =>
              void act(pair.mutateAsync({ caseId, version, figureIds, isPaired: false }), "They are apart again")
            }
          >
            Not the same thing
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconLink {...icon} />} onClick={() => onTask({ kind: "pair", figure })}>
            Same thing as…
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => void setRemoved(true)}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function AgreedCell({ line, finances, mayRecord, onTask }: Props) {
  const formats = useFormats();
  const { parties, currency } = finances;
  const { agreement, figures } = line;
  const isExchanged = figures.every((figure) => figure.isExchanged);
  const agreed = agreedMinor(line, parties);
  const nameOf = (id: string) => parties.find(({ partyId }) => partyId === id)?.name ?? "Somebody who left";
  return (
    <span className="finance-cell">
      <span className="finance-cell-name">Agreed</span>
      {agreement && (
        <>
          <span className="finance-amount">
            <strong className="tabular">{amountText(agreement.amountMinor, currency)}</strong>
            <Chip tone={agreed === null ? "outline" : "agreed"}>{agreed === null ? "Not by all" : "Agreed"}</Chip>
          </span>
          <span className="quiet-text">
            {agreement.by.map(({ partyId, on }) => `${nameOf(partyId)} on ${formats.calendarDay(on)}`).join(", ")}
          </span>
        </>
      )}
      {!agreement && saidByAll(line) !== null && line.isPaired && <span>Both say the same</span>}
      {mayRecord && isExchanged && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`${agreement ? "Change" : "Record"} what is agreed of ${line.label}`}
          onClick={() => onTask({ kind: "agree", line })}
        >
          {agreement ? "Change" : "Record"}
        </Button>
      )}
    </span>
  );
}
