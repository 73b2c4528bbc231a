import type { DisclosingParty, Finances } from "@app/shared/finances";
import { Button } from "@mantine/core";
import { api } from "../../core/api.ts";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { useFinanceAct } from "./use-finances.ts";

function useDisclosing({ caseId, version }: Finances) {
  const act = useFinanceAct();
  const save = api.finances.setDisclosing.useMutation();
  return {
    isBusy: save.isPending,
    set: (partyId: string, isDisclosing: boolean, done: string) =>
      void act(save.mutateAsync({ caseId, version, partyId, isDisclosing }), done),
  };
}

/** Of somebody of whom nothing is entered, where two others are left to exchange. */
export function DoesNotDisclose({ party, finances }: { party: DisclosingParty; finances: Finances }) {
  const { isBusy, set } = useDisclosing(finances);
  const { partyId, name } = party;
  const isAnythingThere = finances.figures.some((figure) => figure.partyId === partyId && !figure.isRemoved);
  if (finances.parties.length < 3 || isAnythingThere) return null;
  return (
    <Button
      size="xs"
      variant="subtle"
      loading={isBusy}
      onClick={() => set(partyId, false, `It is recorded that ${name} does not disclose`)}
    >
      {name} does not disclose
    </Button>
  );
}

/** Such as a grandparent, who mediates about the children alone. */
export function NotDisclosing({ finances, mayRecord }: { finances: Finances; mayRecord: boolean }) {
  const { isBusy, set } = useDisclosing(finances);
  return finances.others.map(({ partyId, label, name }) => (
    <p key={partyId} className="finance-note">
      <PartyMarker label={label} /> {name} does not disclose, and is not shown what the others do.{" "}
      {mayRecord && (
        <Button
          size="compact-xs"
          variant="subtle"
          loading={isBusy}
          onClick={() => set(partyId, true, `${name} discloses too`)}
        >
          {name} discloses too
        </Button>
      )}
    </p>
  ));
}
