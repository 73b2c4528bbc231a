import type { ImportKind } from "@app/shared/import-states";
import type { ImportOptions as Options } from "@app/shared/imports";
import { Radio } from "@mantine/core";
import { KIND_WORDS } from "./import-words.ts";

type Choices = Omit<Options, "columns">;

interface Props {
  kind: ImportKind;
  options: Choices;
  onChange: (change: Partial<Choices>) => void;
}

/** How days are read, and what becomes of records that are there already. */
export const ImportOptions = ({ kind, options, onChange }: Props) => (
  <div className="import-options">
    <Radio.Group
      label="A day such as 03/04/1985 is"
      value={options.dateOrder}
      onChange={(value) => onChange({ dateOrder: value === "mdy" ? "mdy" : "dmy" })}
    >
      <Radio value="dmy" label="3 April, the day first" />
      <Radio value="mdy" label="4 March, the month first" />
    </Radio.Group>
    <Radio.Group
      label={`A row that looks like ${KIND_WORDS[kind][1]} you have already, or like an earlier row`}
      value={options.duplicates}
      onChange={(value) => onChange({ duplicates: value === "import" ? "import" : "skip" })}
    >
      <Radio value="skip" label="Leave it out and list it in the report" />
      <Radio value="import" label="Import it all the same" />
    </Radio.Group>
  </div>
);
