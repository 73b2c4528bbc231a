import type { DisclosingParty, FigureProposal, Finances } from "@app/shared/finances";
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { useToday } from "../../core/today.ts";
import { Chip } from "../../ui/chip.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import type { FinanceTask } from "./finance-tasks.ts";
import { amountText } from "./finance-words.ts";
import { DoesNotDisclose } from "./not-disclosing.tsx";
import { useFinanceAct } from "./use-finances.ts";

interface Props {
  party: DisclosingParty;
  finances: Finances;
  mayChange: boolean;
  mayRecord: boolean;
  onTask: (task: FinanceTask) => void;
}

/** What one of them disclosed so far: out of which answers, what newer ones say, and whether that is all. */
export function PartyDisclosure(props: Props) {
  const { party, finances, mayChange, mayRecord, onTask } = props;
  const { partyId, label, name, answers } = party;
  return (
    <section className="finance-party" aria-label={`Disclosure of ${name}`}>
      <h3>
        <PartyMarker label={label} /> {name}
      </h3>
      <Answers {...props} />
      {mayChange && answers && answers.proposals.length > 0 && <Proposals {...props} />}
      <Completeness key={party.completeOn} {...props} />
      {mayChange && (
        <Button
          size="xs"
          variant="default"
          onClick={() => onTask({ kind: "figure", partyId, category: "", figure: null })}
        >
          Enter a figure of {name}
        </Button>
      )}
      {mayRecord && <DoesNotDisclose party={party} finances={finances} />}
    </section>
  );
}

function Answers({ party, finances, mayChange }: Props) {
  const formats = useFormats();
  const act = useFinanceAct();
  const take = api.finances.takeOver.useMutation();
  const { answers, partyId, name } = party;
  if (!answers) return <p className="quiet-text">No answers to a form for financial disclosure are here yet.</p>;
  const { submissionId, formName, formNumber, on, count, isTakenOver, proposals } = answers;
  const { caseId, version, figures } = finances;
  const wasTaken = figures.some((one) => one.partyId === partyId && one.source.kind === "answers");
  return (
    <div className="finance-answers">
      <p>
        {formName}, version {formNumber}, sent in {formats.calendarDay(on)}: {count}{" "}
        {count === 1 ? "figure" : "figures"}
        {isTakenOver && ", taken over"}
        {!isTakenOver && wasTaken && (proposals.length > 0 ? ". It differs from the figures below:" : ", nothing new")}
      </p>
      {mayChange && !isTakenOver && !wasTaken && count > 0 && (
        <Button
          size="xs"
          loading={take.isPending}
          onClick={() =>
            void act(
              take.mutateAsync({ caseId, version, partyId, submissionId }),
              `The figures of ${name} are taken over`,
            )
          }
        >
          Take over what {name} answered
        </Button>
      )}
    </div>
  );
}

/** Before and after, one by one. */
function Proposals({ party, finances }: Props) {
  const act = useFinanceAct();
  const decide = api.finances.decide.useMutation();
  const { answers, partyId } = party;
  if (!answers) return null;
  const { caseId, version, currency, figures } = finances;
  const before = ({ figureId }: FigureProposal) => figures.find(({ id }) => id === figureId);
  const settle = ({ key }: FigureProposal, isTakenOver: boolean) =>
    void act(
      decide.mutateAsync({ caseId, version, partyId, submissionId: answers.submissionId, key, isTakenOver }),
      isTakenOver ? "Taken over" : "Left as it is",
    );
  return (
    <ul className="rows finance-proposals">
      {answers.proposals.map((proposal) => {
        const was = before(proposal);
        const what = proposal.after?.label ?? was?.label ?? "A figure";
        const newer = proposal.after ? amountText(proposal.after.amountMinor, currency) : "Not in the newer answers";
        return (
          <li key={proposal.key}>
            <span>
              <strong>{what}</strong>
              <br />
              {was ? amountText(was.amountMinor, currency) : "Not here yet"} <span aria-hidden>→</span>
              <span className="visually-hidden"> becomes </span> {newer}
            </span>
            <span className="finance-buttons">
              <Button
                size="xs"
                variant="default"
                aria-label={`Take over: ${what}`}
                onClick={() => settle(proposal, true)}
              >
                Take over
              </Button>
              <Button
                size="xs"
                variant="subtle"
                aria-label={`Leave as it is: ${what}`}
                onClick={() => settle(proposal, false)}
              >
                Leave it
              </Button>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** When they said that this is all; a day that somebody enters, never one that is chosen for them. */
function Completeness({ party, finances, mayRecord }: Props) {
  const formats = useFormats();
  const today = useToday();
  const act = useFinanceAct();
  const [on, setOn] = useState("");
  const save = api.finances.setComplete.useMutation();
  const { completeOn, partyId, name } = party;
  const { caseId, version } = finances;
  const set = (day: string, done: string) => void act(save.mutateAsync({ caseId, version, partyId, on: day }), done);
  if (completeOn !== "")
    return (
      <p className="finance-complete">
        <Chip tone="agreed">Complete</Chip> {name} said so on {formats.calendarDay(completeOn)}{" "}
        {mayRecord && (
          <Button size="compact-xs" variant="subtle" onClick={() => set("", `The disclosure of ${name} is open again`)}>
            Open it again
          </Button>
        )}
      </p>
    );
  if (!mayRecord)
    return (
      <p className="finance-complete">
        <Chip tone="outline">Not complete</Chip>
      </p>
    );
  return (
    <form
      className="finance-complete-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (on !== "") set(on, `The disclosure of ${name} is complete`);
      }}
    >
      <TextInput
        label={`Date on which ${name} said that this is everything`}
        type="date"
        max={today}
        required
        withAsterisk={false}
        value={on}
        onChange={(event) => setOn(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={save.isPending}>
        Record it
      </Button>
    </form>
  );
}
