import { FIELD_TYPE_NAMES, type FieldType } from "@app/shared/form-limits";
import { FIELD_ICONS, PALETTE } from "./field-palette.ts";

interface Props {
  onAdd: (type: FieldType) => void;
  isDisabled: boolean;
  /** Some of the groups and types; all of them where it is left out. */
  groups?: typeof PALETTE;
}

/** Types of questions, to be added by a click. */
export const PaletteList = ({ onAdd, isDisabled, groups = PALETTE }: Props) =>
  groups.map(({ name, types }) => (
    <div key={name} role="group" aria-label={name} className="palette-group">
      <div className="palette-title" aria-hidden>
        {name}
      </div>
      {types.map((type) => {
        const Icon = FIELD_ICONS[type];
        return (
          <button key={type} type="button" className="palette-item" disabled={isDisabled} onClick={() => onAdd(type)}>
            <Icon size={16} stroke={1.7} aria-hidden />
            {FIELD_TYPE_NAMES[type]}
          </button>
        );
      })}
    </div>
  ));
