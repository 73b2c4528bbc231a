import { type Rung, RUNG_DAYS_MAX } from "@app/shared/ladders";
import { ActionIcon, NativeSelect, NumberInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { CHANNEL_NAMES, optionsOf, pick } from "../cases/case-words.ts";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  rung: Rung;
  /** The first is 0. */
  index: number;
  count: number;
  errors: Record<string, string>;
  onChange: (change: Partial<Rung>) => void;
  onMove: (by: -1 | 1) => void;
  onTakeOut: () => void;
}

/** One step of a ladder: how, when, how long there is to answer, and in which words. */
export function RungFields({ rung, index, count, errors, onChange, onMove, onTakeOut }: Props) {
  const days = { min: 0, max: RUNG_DAYS_MAX, allowDecimal: false };
  const errorOf = (field: keyof Rung) => errors[`rungs.${index}.${field}`];
  return (
    <li className="ladder-rung" aria-label={`Step ${index + 1}`}>
      <NativeSelect
        label="By"
        className="ladder-by"
        data={optionsOf(CHANNEL_NAMES)}
        value={rung.channel}
        onChange={(event) => onChange({ channel: pick(CHANNEL_NAMES, event.currentTarget.value) })}
      />
      {index > 0 && (
        <NumberInput
          {...days}
          label="Days after"
          className="ladder-after"
          value={rung.afterDays}
          error={errorOf("afterDays")}
          onChange={(value) => onChange({ afterDays: Number(value) })}
        />
      )}
      <NumberInput
        {...days}
        label="Days to answer"
        className="ladder-reply"
        value={rung.replyDays}
        error={errorOf("replyDays")}
        onChange={(value) => onChange({ replyDays: Number(value) })}
      />
      <TemplateField value={rung.template} onChange={(template) => onChange({ template })} />
      <PlaceButtons number={index + 1} count={count} onMove={onMove} onTakeOut={onTakeOut} />
    </li>
  );
}

/** Where the step stands among the others, and whether it does. */
function PlaceButtons({
  number,
  count,
  onMove,
  onTakeOut,
}: Pick<Props, "count" | "onMove" | "onTakeOut"> & { number: number }) {
  const button = { variant: "default", size: 30 } as const;
  return (
    <div className="ladder-buttons">
      <ActionIcon {...button} aria-label={`Move step ${number} up`} disabled={number === 1} onClick={() => onMove(-1)}>
        <IconArrowUp {...icon} />
      </ActionIcon>
      <ActionIcon
        {...button}
        aria-label={`Move step ${number} down`}
        disabled={number === count}
        onClick={() => onMove(1)}
      >
        <IconArrowDown {...icon} />
      </ActionIcon>
      <ActionIcon {...button} aria-label={`Take out step ${number}`} disabled={count === 1} onClick={onTakeOut}>
        <IconTrash {...icon} />
      </ActionIcon>
    </div>
  );
}

/** A practice that mostly has another kind of case gets the template of this kind when it is first used. */
function TemplateField({ value, onChange }: { value: string; onChange: (template: string) => void }) {
  const templates = api.mailTemplates.list.useQuery();
  const items = templates.data?.items ?? [];
  const known = items.map(({ id, starterKey, name }) => ({ value: starterKey ?? id, label: name }));
  const isKnown = value === "" || known.some((each) => each.value === value);
  return (
    <NativeSelect
      label="Template"
      className="ladder-template"
      data={[
        { value: "", label: "None" },
        ...(isKnown ? [] : [{ value, label: "The one for this kind of case" }]),
        ...known,
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
