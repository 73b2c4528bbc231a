import type { FinanceRemark } from "@app/shared/finance-lines";
import { IconAlertTriangle, IconQuestionMark } from "@tabler/icons-react";
import { Section } from "../../ui/section.tsx";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

/** What both name, and do not say the same of. */
export const Mismatches = ({ remarks }: { remarks: readonly FinanceRemark[] }) => (
  <RemarkList
    title="What does not fit"
    remarks={remarks.filter(({ kind }) => kind === "mismatch")}
    empty="Nothing that both name differs."
  />
);

/** What is not there yet, or nothing shows. */
export const Gaps = ({ remarks }: { remarks: readonly FinanceRemark[] }) => (
  <RemarkList
    title="What is missing"
    remarks={remarks.filter(({ kind }) => kind === "gap")}
    empty="Nothing is missing."
  />
);

interface Props {
  title: string;
  remarks: readonly FinanceRemark[];
  empty: string;
}

function RemarkList({ title, remarks, empty }: Props) {
  return (
    <Section title={title} count={remarks.length || undefined}>
      {remarks.length === 0 ? (
        <p className="finance-note">{empty}</p>
      ) : (
        <ul className="rows">
          {remarks.map(({ kind, text }) => (
            <li key={text}>
              {kind === "mismatch" ? <IconAlertTriangle {...icon} /> : <IconQuestionMark {...icon} />}
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
