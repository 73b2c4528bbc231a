import type { FinanceRemark } from "@app/shared/finance-lines";
import { IconAlertTriangle, IconQuestionMark } from "@tabler/icons-react";
import { Section } from "../../ui/section.tsx";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

/** What does not fit, before what is not there yet. */
export function FinanceRemarks({ remarks }: { remarks: readonly FinanceRemark[] }) {
  const mismatches = remarks.filter(({ kind }) => kind === "mismatch");
  const gaps = remarks.filter(({ kind }) => kind === "gap");
  return (
    <>
      <RemarkList title="What does not fit" remarks={mismatches} empty="Nothing that both name differs." />
      <RemarkList title="What is missing" remarks={gaps} empty="Nothing is missing." />
    </>
  );
}

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
