import { proposedPairs } from "@app/shared/finance-pairs";
import type { Finances } from "@app/shared/finances";
import { Button } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Section } from "../../ui/section.tsx";
import { amountText } from "./finance-words.ts";
import { useFinanceAct } from "./use-finances.ts";

/** What may be one thing that both named: a person says whether it is. */
export function ProposedPairs({ finances }: { finances: Finances }) {
  const act = useFinanceAct();
  const pair = api.finances.pair.useMutation();
  const { caseId, version, currency, parties } = finances;
  const pairs = proposedPairs(finances);
  if (pairs.length === 0) return null;
  const nameOf = (id: string) => parties.find(({ partyId }) => partyId === id)?.name ?? "A participant";
  return (
    <Section title="Perhaps the same thing" count={pairs.length}>
      <ul className="rows finance-pairs">
        {pairs.map((figures) => {
          const figureIds = figures.map(({ id }) => id);
          const [one, other] = figures;
          return (
            <li key={figureIds.join(" ")}>
              <span>
                {nameOf(one.partyId)}: <strong>{one.label}</strong>, {amountText(one.amountMinor, currency)}
                <br />
                {nameOf(other.partyId)}: <strong>{other.label}</strong>, {amountText(other.amountMinor, currency)}
              </span>
              <Button
                size="xs"
                variant="default"
                aria-label={`It is the same: ${one.label} and ${other.label}`}
                loading={pair.isPending}
                onClick={() =>
                  void act(
                    pair.mutateAsync({ caseId, version, figureIds, isPaired: true }),
                    `${one.label} and ${other.label} stand beside each other`,
                  )
                }
              >
                It is the same
              </Button>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
