import { ActionIcon } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";

interface Props {
  /** Those who sign, the first of them first. */
  signers: readonly { id: string; label: string }[];
  onOrder: (ids: string[]) => void;
}

/** Who signs after whom. */
export function SignerOrder({ signers, onOrder }: Props) {
  const ids = signers.map(({ id }) => id);
  const moveUp = (at: number) =>
    onOrder([...ids.slice(0, at - 1), ids[at] ?? "", ids[at - 1] ?? "", ...ids.slice(at + 1)]);
  return (
    <ol className="signer-order" aria-label="Order of signing">
      {signers.map(({ id, label }, at) => (
        <li key={id}>
          <span>
            {at + 1}. {label}
          </span>
          {at > 0 && (
            <ActionIcon variant="subtle" color="gray" aria-label={`${label} signs earlier`} onClick={() => moveUp(at)}>
              <IconArrowUp size={16} stroke={1.7} aria-hidden />
            </ActionIcon>
          )}
        </li>
      ))}
    </ol>
  );
}
