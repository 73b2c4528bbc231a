import { isRestricting } from "@app/shared/answer-proposals";
import type { Proposal, Submission } from "@app/shared/submissions";
import { IconShield } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useFormats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import { isFocusLost, takesFocus } from "../../ui/focus.ts";
import { Deciding } from "./deciding.tsx";
import { MissedDecisions, useMissed } from "./missed-decisions.tsx";

interface Props {
  submission: Submission;
  mayChange: boolean;
}

/** What the answers propose to change of the client, one by one; nothing is taken over by itself. */
export function ReviewList({ submission, mayChange }: Props) {
  const { calendarDay } = useFormats();
  const { proposals } = submission;
  const said = ({ target }: Proposal, text: string) =>
    target === "client.dateOfBirth" && DAY.test(text) ? calendarDay(text) : text;
  const ordered = [...proposals.filter(isRestricting), ...proposals.filter((one) => !isRestricting(one))];
  const list = useFocusKept(ordered);
  const { missed, miss, close } = useMissed();
  return (
    <section ref={list}>
      <h3 className="submission-page" tabIndex={-1}>
        Proposed changes to the client
      </h3>
      <MissedDecisions missed={missed} proposals={proposals} onClose={close} />
      <ul className="review">
        {ordered.map((proposal) => (
          <li key={proposal.fieldId} data-field={proposal.fieldId} tabIndex={-1}>
            <div className="review-what">
              {isRestricting(proposal) && (
                <Chip tone="safety" icon={<IconShield size={14} stroke={1.7} aria-hidden />}>
                  Safe contact
                </Chip>
              )}
              <strong>{capital(proposal.targetName)}</strong>
              <span className="review-before">{said(proposal, proposal.before) || "Empty"}</span>
              <span aria-hidden>→</span>
              <span className="form-unseen">becomes</span>
              <span className="review-after">{said(proposal, proposal.after) || "Empty"}</span>
            </div>
            {proposal.decision === "pending" && mayChange && proposal.isForFew && (
              <p className="review-readers">
                Only some of your colleagues may read this answer. If you accept it, everybody who sees this client can
                read it.
              </p>
            )}
            {proposal.decision === "pending" ? (
              mayChange && <Deciding submission={submission} proposal={proposal} onRefused={miss} />
            ) : (
              <Decided proposal={proposal} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * The buttons of what was decided are gone: the keyboard goes on at the next row that is left to decide, or at the
 * heading. Never at a button: pressed once more it would decide on what nobody has looked at.
 */
function useFocusKept(ordered: readonly Proposal[]) {
  const list = useRef<HTMLElement>(null);
  const before = useRef<readonly string[]>([]);
  useEffect(() => {
    const left = ordered.filter(({ decision }) => decision === "pending").map(({ fieldId }) => fieldId);
    const decided = before.current.find((fieldId) => !left.includes(fieldId));
    before.current = left;
    if (decided === undefined || !isFocusLost()) return;
    const at = ordered.findIndex(({ fieldId }) => fieldId === decided);
    const after = ordered.slice(at + 1).find(({ fieldId }) => left.includes(fieldId))?.fieldId ?? left[0];
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("li[data-field]") ?? [])];
    takesFocus(rows.find((row) => row.dataset["field"] === after) ?? list.current?.querySelector("h3"));
  }, [ordered]);
  return list;
}

/** As it is stored; what was typed otherwise stays so. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const DECIDED = { accepted: "Accepted", edited: "Accepted with changes", rejected: "Rejected" } as const;

function Decided({ proposal: { decision, byName, at } }: { proposal: Proposal }) {
  const formats = useFormats();
  if (decision === "pending") return null;
  return (
    <p className="quiet-text">
      {DECIDED[decision]} by {byName}
      {at && `, ${formats.dateTime(at)}`}
    </p>
  );
}
