import type { Topic } from "@app/shared/sessions";
import { AGENDA_MAX, ISSUE_MAX_LENGTH } from "@app/shared/sessions";
import { ActionIcon, Button, NumberInput, TextInput } from "@mantine/core";
import { IconCheck, IconPlayerPlayFilled, IconPlus, IconX } from "@tabler/icons-react";
import { type SyntheticEvent, useState } from "react";
import { makeId } from "../../core/new-id.ts";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { useUnsaved } from "../../ui/unsaved.ts";
import { useCockpit } from "./cockpit-context.ts";

const USUAL_MINUTES = 15;

export function SessionAgenda() {
  const { session, isOpen } = useCockpit();
  const [isAdding, setIsAdding] = useState(false);
  const isPhone = useIsPhone();
  const { agenda } = session;
  const done = agenda.filter(({ isDone }) => isDone);
  const current = session.status === "in_progress" ? agenda.find(({ isDone }) => !isDone) : undefined;
  const row = (topic: Topic, index: number) => (
    <TopicRow key={topic.id} topic={topic} number={index + 1} isCurrent={topic.id === current?.id} />
  );
  const isFolded = isPhone && done.length > 0;
  return (
    <section className="cockpit-agenda" aria-label="Agenda">
      <div className="cockpit-section-head">
        <h2>Agenda</h2>
        {agenda.length > 0 && (
          <span className="quiet-text">
            {done.length} of {agenda.length}
          </span>
        )}
        {isOpen && agenda.length < AGENDA_MAX && (
          <ActionIcon variant="default" size={26} aria-label="Add a topic" onClick={() => setIsAdding(true)}>
            <IconPlus size={16} stroke={1.7} />
          </ActionIcon>
        )}
      </div>
      {agenda.length === 0 && !isAdding && <p className="cockpit-none">No topics yet.</p>}
      {isFolded && (
        <details className="cockpit-folded">
          <summary>{done.length === 1 ? "1 topic is done" : `${done.length} topics are done`}</summary>
          <ol>{agenda.map((topic, index) => topic.isDone && row(topic, index))}</ol>
        </details>
      )}
      <ol>{agenda.map((topic, index) => (!isFolded || !topic.isDone) && row(topic, index))}</ol>
      {isAdding && <NewTopic onClose={() => setIsAdding(false)} />}
    </section>
  );
}

function TopicRow({ topic, number, isCurrent }: { topic: Topic; number: number; isCurrent: boolean }) {
  const { change, isOpen } = useCockpit();
  const toggled = { ...topic, isDone: !topic.isDone };
  const toggle = () =>
    change({
      apply: (before) => ({ ...before, agenda: before.agenda.map((each) => (each.id === topic.id ? toggled : each)) }),
      call: (sessions, id) => sessions.saveTopic.mutate({ ...id, topic: toggled, before: topic }),
    });
  const remove = () =>
    change({
      apply: (before) => ({ ...before, agenda: before.agenda.filter(({ id }) => id !== topic.id) }),
      call: (sessions, id) => sessions.removeTopic.mutate({ ...id, topicId: topic.id }),
    });
  return (
    <li className="cockpit-topic" data-current={isCurrent || undefined} data-done={topic.isDone || undefined}>
      <ActionIcon
        size={22}
        disabled={!isOpen}
        aria-label={topic.isDone ? `${topic.topic} is done. Open it again` : `${number}: mark ${topic.topic} as done`}
        aria-pressed={topic.isDone}
        onClick={() => void toggle()}
      >
        {topic.isDone && <IconCheck size={16} stroke={1.7} />}
        {isCurrent && <IconPlayerPlayFilled size={14} className="cockpit-current" />}
        {!topic.isDone && !isCurrent && (
          <span className="cockpit-topic-number tabular" aria-hidden>
            {number}
          </span>
        )}
      </ActionIcon>
      <span className="cockpit-topic-name">{topic.topic}</span>
      <span className="cockpit-end quiet-text tabular nowrap">{topic.minutes} min</span>
      {isOpen && (
        <ActionIcon
          size={22}
          className="cockpit-remove"
          aria-label={`Take ${topic.topic} off`}
          onClick={() => void remove()}
        >
          <IconX size={14} stroke={1.7} />
        </ActionIcon>
      )}
    </li>
  );
}

function NewTopic({ onClose }: { onClose: () => void }) {
  const { change } = useCockpit();
  const [name, setName] = useState("");
  const [minutes, setMinutes] = useState(USUAL_MINUTES);
  useUnsaved(() => name.trim() !== "");
  function add(event: SyntheticEvent) {
    event.preventDefault();
    if (name.trim() === "") return;
    const topic = { id: makeId(), topic: name.trim(), privilege: "without_prejudice", minutes, isDone: false } as const;
    void change({
      apply: (before) => ({ ...before, agenda: [...before.agenda, topic] }),
      call: (sessions, id) => sessions.saveTopic.mutate({ ...id, topic }),
    });
    setName("");
  }
  return (
    <form className="cockpit-new-topic" onSubmit={add} aria-label="New topic">
      <TextInput
        label="Topic"
        value={name}
        maxLength={ISSUE_MAX_LENGTH}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        autoFocus
      />
      <NumberInput
        label="Minutes"
        min={0}
        max={480}
        value={minutes}
        onChange={(value) => setMinutes(Number(value) || 0)}
      />
      <div className="cockpit-form-foot">
        <Button size="xs" variant="default" onClick={onClose}>
          Close
        </Button>
        <Button size="xs" type="submit" disabled={name.trim() === ""}>
          Add
        </Button>
      </div>
    </form>
  );
}
