import type { SignerKind } from "@app/shared/signatures";
import { Checkbox, Stack } from "@mantine/core";
import { SignerOrder } from "./signer-order.tsx";

export interface Candidate {
  kind: SignerKind;
  id: string;
  label: string;
}

interface Values {
  signers: string[];
  order: string[];
  isInOrder: boolean;
}

interface Props {
  candidates: readonly Candidate[];
  values: Values;
  error: string | undefined;
  onSigners: (ids: string[]) => void;
  onOrder: (ids: string[]) => void;
  onInOrder: (isInOrder: boolean) => void;
}

/** Who signs, and after whom. Nobody is chosen for you. */
export function WhoSigns({ candidates, values, error, onSigners, onOrder, onInOrder }: Props) {
  const { signers, isInOrder } = values;
  const chosen = inOrder(candidates, values);
  return (
    <>
      <Checkbox.Group
        label="Who signs"
        description="Each party gets a link of their own by email, and sees nothing of the others until all have signed. A mediator gets a task, and signs here."
        value={signers}
        error={error}
        onChange={onSigners}
      >
        <Stack gap="sm" mt="xs">
          {candidates.map(({ id, label }) => (
            <Checkbox key={id} value={id} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
      {!candidates.some(({ kind }) => kind === "party") && (
        <p className="quiet-text">No party of this case may read this file. Share it with them first.</p>
      )}
      {chosen.length > 1 && (
        <Checkbox
          label="One after the other"
          description="Otherwise they can all sign at the same time."
          checked={isInOrder}
          onChange={({ currentTarget }) => onInOrder(currentTarget.checked)}
        />
      )}
      {chosen.length > 1 && isInOrder && <SignerOrder signers={chosen} onOrder={onOrder} />}
    </>
  );
}

/** Those who were chosen as they were put in order; whoever was chosen since comes last, in the order of the case. */
export function inOrder(candidates: readonly Candidate[], { signers, order }: Pick<Values, "signers" | "order">) {
  const placeOf = ({ id }: Candidate) => (order.includes(id) ? order.indexOf(id) : order.length);
  return candidates.filter(({ id }) => signers.includes(id)).toSorted((one, other) => placeOf(one) - placeOf(other));
}
