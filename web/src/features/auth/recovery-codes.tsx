import { Button, CopyButton, Group } from "@mantine/core";

interface Props {
  codes: readonly string[];
  onDone: () => void;
}

/** Shown once: the way in without the phone. */
export function RecoveryCodes({ codes, onDone }: Props) {
  return (
    <>
      <p>
        The second factor is on. Keep these recovery codes somewhere safe, on paper for instance: each lets you in once
        when your phone is not at hand. They are not shown again.
      </p>
      <ul className="two-factor-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="flex-end">
        <CopyButton value={codes.join("\n")}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>I have kept them</Button>
      </Group>
    </>
  );
}
