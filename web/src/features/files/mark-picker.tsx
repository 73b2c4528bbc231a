import { type FileMark, NO_MARK } from "@app/shared/files";
import {
  FINANCIAL_PRIVILEGE,
  isWeaker,
  ONLY_THEY_WEAKEN,
  PRIVILEGE_MEANINGS,
  PRIVILEGE_NAMES,
  PRIVILEGES,
  staysInCase,
} from "@app/shared/privileges";
import { NativeSelect } from "@mantine/core";

const FINANCIAL = "financial";
const FINANCIAL_MARK: FileMark = { privilege: FINANCIAL_PRIVILEGE, isFinancial: true };

const CHOICES = [
  ...PRIVILEGES.map((privilege) => ({ value: privilege, mark: { privilege, isFinancial: false } })),
  { value: FINANCIAL, mark: FINANCIAL_MARK },
].toSorted((one, other) => Number(other.value === NO_MARK.privilege) - Number(one.value === NO_MARK.privilege));

const valueOf = ({ privilege, isFinancial }: FileMark): string => (isFinancial ? FINANCIAL : privilege);

/** What a file is marked as, in a few words. */
/** Of what is in nobody's confidence. */
export const OUR_OWN = "Our own, from no party: a leaflet, a blank form";

export const markName = ({ privilege, isFinancial }: FileMark): string =>
  isFinancial ? `Financial disclosure, ${PRIVILEGE_NAMES[privilege].toLowerCase()}` : PRIVILEGE_NAMES[privilege];

interface Props {
  label: string;
  value: FileMark;
  onChange: (mark: FileMark) => void;
  /** It went out with a mail as what it is. */
  isSent?: boolean;
  /** The mark that this person may not weaken. */
  floor?: FileMark | undefined;
  error?: string | undefined;
}

/** What may be said of a file outside the case. */
export function MarkPicker({ label, value, onChange, isSent = false, floor, error }: Props) {
  return (
    <NativeSelect
      label={label}
      {...(floor && staysInCase(floor.privilege) ? { description: ONLY_THEY_WEAKEN } : {})}
      {...(isSent ? { description: "It was sent with a mail, so this stays as it is", disabled: true } : {})}
      value={valueOf(value)}
      error={error}
      data={CHOICES.map(({ value: chosen, mark }) => ({
        value: chosen,
        disabled: floor !== undefined && isWeaker(mark.privilege, floor.privilege),
        label: `${markName(mark)}: ${PRIVILEGE_MEANINGS[mark.privilege]}`,
      }))}
      onChange={({ currentTarget }) => {
        const chosen = CHOICES.find((choice) => choice.value === currentTarget.value);
        if (chosen) onChange(chosen.mark);
      }}
    />
  );
}
