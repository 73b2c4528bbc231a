import type { NextStep } from "@app/shared/sessions";
import { ActionIcon, Button, SegmentedControl, TextInput } from "@mantine/core";
import { IconCheckbox, IconPlus, IconX } from "@tabler/icons-react";
import { type SyntheticEvent, useState } from "react";
import { useFormats } from "../../core/format.ts";
import { makeId } from "../../core/new-id.ts";
import { useToday } from "../../core/today.ts";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { useUnsaved } from "../../ui/unsaved.ts";
import { partyOf, useCockpit } from "./cockpit-context.ts";

const PRACTICE = "practice";

export function NextSteps() {
  const { session, isOpen } = useCockpit();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <section className="cockpit-steps" aria-label="Next steps">
      <div className="cockpit-section-head" data-ruled>
        <h2>Next steps</h2>
        {isOpen && (
          <ActionIcon variant="default" size={26} aria-label="Add a next step" onClick={() => setIsAdding(true)}>
            <IconPlus size={16} stroke={1.7} />
          </ActionIcon>
        )}
      </div>
      {session.nextSteps.length === 0 && !isAdding && (
        <p className="cockpit-none">Who does what until when. Each becomes a task when the session ends.</p>
      )}
      <ul className="rows">
        {session.nextSteps.map((step) => (
          <StepRow key={step.id} step={step} />
        ))}
      </ul>
      {isAdding && <NewStep onClose={() => setIsAdding(false)} />}
    </section>
  );
}

function StepRow({ step }: { step: NextStep }) {
  const { theCase, change, isOpen } = useCockpit();
  const formats = useFormats();
  const today = useToday();
  const due = step.dueOn === null ? "No date" : step.dueOn === today ? "Today" : formats.shortDay(step.dueOn);
  const remove = () =>
    change({
      apply: (before) => ({ ...before, nextSteps: before.nextSteps.filter(({ id }) => id !== step.id) }),
      call: (sessions, id) => sessions.removeNextStep.mutate({ ...id, stepId: step.id }),
    });
  return (
    <li className="cockpit-step">
      <PartyMarker label={partyOf(theCase, step.partyId)?.label ?? "Us"} />
      <span className="cockpit-step-text">{step.text}</span>
      {step.taskId !== null && (
        <span className="quiet-text nowrap">
          <IconCheckbox size={14} stroke={1.7} aria-hidden /> Task
        </span>
      )}
      <span className="cockpit-end quiet-text tabular nowrap">{due}</span>
      {isOpen && step.taskId === null && (
        <ActionIcon
          size={22}
          className="cockpit-remove"
          aria-label={`Take off: ${step.text}`}
          onClick={() => void remove()}
        >
          <IconX size={14} stroke={1.7} />
        </ActionIcon>
      )}
    </li>
  );
}

function NewStep({ onClose }: { onClose: () => void }) {
  const { theCase, change } = useCockpit();
  const [text, setText] = useState("");
  const [who, setWho] = useState(PRACTICE);
  const [dueOn, setDueOn] = useState("");
  useUnsaved(() => text.trim() !== "");
  function add(event: SyntheticEvent) {
    event.preventDefault();
    if (text.trim() === "") return;
    const partyId = who === PRACTICE ? null : who;
    const step = { id: makeId(), text: text.trim(), partyId, dueOn: dueOn || null };
    void change({
      apply: (before) => ({ ...before, nextSteps: [...before.nextSteps, { ...step, taskId: null }] }),
      call: (sessions, id) => sessions.saveNextStep.mutate({ ...id, step }),
    });
    setText("");
  }
  return (
    <form className="cockpit-new-step" onSubmit={add} aria-label="New next step">
      <TextInput
        label="What"
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.currentTarget.value)}
        autoFocus
      />
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Who does it"
        value={who}
        onChange={setWho}
        data={[
          ...theCase.parties.map(({ partyId, label }) => ({ value: partyId, label })),
          { value: PRACTICE, label: "Us" },
        ]}
      />
      <TextInput
        type="date"
        label="Until (optional)"
        value={dueOn}
        onChange={(event) => setDueOn(event.currentTarget.value)}
      />
      <div className="cockpit-form-foot">
        <Button size="xs" variant="default" onClick={onClose}>
          Close
        </Button>
        <Button size="xs" type="submit" disabled={text.trim() === ""}>
          Add
        </Button>
      </div>
    </form>
  );
}
