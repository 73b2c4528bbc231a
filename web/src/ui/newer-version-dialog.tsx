import { Button, Radio, Table } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "./dialog.tsx";
import "./newer-version-dialog.css";

type Side = "theirs" | "mine";

export interface VersionField {
  key: string;
  label: string;
  theirs: string;
  mine: string;
}

interface Props {
  isOpen: boolean;
  /** What was being edited: "client". */
  what: string;
  /** Who saved first, and when, as it is shown: "10:39"; left out where it may have been the same person. */
  theirs?: { name: string; savedAt: string };
  /** Only the fields that differ. */
  fields: readonly VersionField[];
  /** How many fields are the same in both; left out where more differs than has to be chosen. */
  sameCount?: number;
  isSaving?: boolean;
  onKeepTheirs: () => void;
  onBack: () => void;
  onSave: (choices: Record<string, Side>) => void;
}

const wordsOf = (what: string, theirs: Props["theirs"]) =>
  theirs
    ? {
        title: `Someone else changed this ${what}`,
        intro: `${theirs.name} saved at ${theirs.savedAt}, while you were editing.`,
        keep: `Keep all of ${theirs.name}’s`,
        column: `${theirs.name}’s, saved ${theirs.savedAt}`,
        side: `${theirs.name}’s`,
      }
    : {
        title: `This ${what} was changed elsewhere`,
        intro: "It was saved in another window or by somebody else, while you were editing.",
        keep: "Throw away my changes",
        column: "Saved elsewhere",
        side: "saved elsewhere",
      };

const SIDES = ["theirs", "mine"] as const;
const plural = (count: number) => (count === 1 ? "1 field differs" : `${count} fields differ`);

/** Two people saved the same thing: both values side by side, and nothing is chosen for anybody. */
export function NewerVersionDialog(props: Props) {
  const { isOpen, what, theirs, fields, sameCount, isSaving = false, onKeepTheirs, onBack, onSave } = props;
  const words = wordsOf(what, theirs);
  const [choices, setChoices] = useState<Record<string, Side>>({});
  const isComplete = fields.every(({ key }) => choices[key] !== undefined);
  const footer = (
    <>
      <Button variant="subtle" data-left onClick={onKeepTheirs}>
        {words.keep}
      </Button>
      <Button variant="default" onClick={onBack}>
        Back to editing
      </Button>
      <Button disabled={!isComplete} loading={isSaving} onClick={() => onSave(choices)}>
        Save this choice
      </Button>
    </>
  );
  return (
    <Dialog isOpen={isOpen} onClose={onBack} title={words.title} size="wide" footer={footer}>
      <p className="newer-version-intro">
        {words.intro} {plural(fields.length)}. Choose for each;{" "}
        {sameCount === undefined ? "everything else that was changed is kept." : `the other ${sameCount} are the same.`}
      </p>
      <Table layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="20%">Field</Table.Th>
            <Table.Th>{words.column}</Table.Th>
            <Table.Th>Yours, not yet saved</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field) => (
            <Table.Tr key={field.key}>
              <Table.Th scope="row">{field.label}</Table.Th>
              {SIDES.map((side) => (
                <Table.Td
                  key={side}
                  className="newer-version-cell"
                  data-chosen={choices[field.key] === side || undefined}
                >
                  <Radio
                    name={`newer-version-${field.key}`}
                    label={field[side] || "Empty"}
                    aria-label={`${field.label}: ${side === "mine" ? "yours" : words.side}, ${field[side] || "empty"}`}
                    checked={choices[field.key] === side}
                    onChange={() => setChoices({ ...choices, [field.key]: side })}
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}
