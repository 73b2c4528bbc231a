import { type FileMark, NO_MARK } from "@app/shared/files";
import { FINANCIAL_PRIVILEGE, PRIVILEGE_MEANINGS, PRIVILEGE_NAMES, PRIVILEGES } from "@app/shared/privileges";
import { NativeSelect } from "@mantine/core";

const FINANCIAL = "financial";
const FINANCIAL_MARK: FileMark = { privilege: FINANCIAL_PRIVILEGE, isFinancial: true };

const CHOICES = [
  ...PRIVILEGES.map((privilege) => ({ value: privilege, mark: { privilege, isFinancial: false } })),
  { value: FINANCIAL, mark: FINANCIAL_MARK },
].toSorted((one, other) => Number(other.value === NO_MARK.privilege) - Number(one.value === NO_MARK.privilege));

const valueOf = ({ privilege, isFinancial }: FileMark): string => (isFinancial ? FINANCIAL : privilege);

/** What a file is marked as, in a few words. */
export const markName = ({ privilege, isFinancial }: FileMark): string =>
  isFinancial ? `Financial disclosure, ${PRIVILEGE_NAMES[privilege].toLowerCase()}` : PRIVILEGE_NAMES[privilege];

interface Props {
  label: string;
  value: FileMark;
  onChange: (mark: FileMark) => void;
  /** It went out with a mail as what it is. */
  isSent?: boolean;
}

/** What may be said of a file outside the case. */
export function MarkPicker({ label, value, onChange, isSent = false }: Props) {
  return (
    <NativeSelect
      label={label}
      {...(isSent ? { description: "It was sent with a mail, so this stays as it is", disabled: true } : {})}
      value={valueOf(value)}
      data={CHOICES.map(({ value: chosen, mark }) => ({
        value: chosen,
        label: `${markName(mark)}: ${PRIVILEGE_MEANINGS[mark.privilege]}`,
      }))}
      onChange={({ currentTarget }) => {
        const chosen = CHOICES.find((choice) => choice.value === currentTarget.value);
        if (chosen) onChange(chosen.mark);
      }}
    />
  );
}
