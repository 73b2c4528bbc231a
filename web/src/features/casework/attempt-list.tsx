import type { Case } from "@app/shared/cases";
import { type Attempt, CALL_NAMES, mayComeBack } from "@app/shared/ladders";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useFormats } from "../../core/format.ts";
import { CHANNEL_NAMES } from "../cases/case-words.ts";
import { notMade } from "./invitation-words.ts";
import { ReturnAttemptForm } from "./return-attempt-form.tsx";
import { StrikeAttemptForm } from "./strike-attempt-form.tsx";

interface Props {
  theCase: Case;
  attempts: readonly Attempt[];
}

/** Each attempt with its words, for the practice's own eyes. */
export function AttemptList({ theCase, attempts }: Props) {
  if (attempts.length === 0) return <p className="attempt-note">Nobody has tried to reach them yet.</p>;
  return (
    <ul className="attempts">
      {attempts.map((attempt) => (
        <AttemptRow key={attempt.id} theCase={theCase} attempt={attempt} />
      ))}
    </ul>
  );
}

function AttemptRow({ theCase, attempt }: { theCase: Case; attempt: Attempt }) {
  const formats = useFormats();
  const [doing, setDoing] = useState<"strike" | "return" | null>(null);
  const back = () => setDoing(null);
  const { channel, on, replyBy, madeByName, wording, call, isTakenBack, delivery, ...why } = attempt;
  const reached = call === "" || call === "nobody" ? "" : CALL_NAMES[call].toLowerCase();
  const reply = replyBy === "" ? "" : `reply by ${formats.calendarDay(replyBy)}`;
  const facts = [formats.calendarDay(on), madeByName, ...(notMade(attempt) ? [notMade(attempt)] : [reached, reply])];
  const unmet = why.unmet.length > 0 ? `Missing on that day: ${why.unmet.join(" ")} ` : "";
  const because = [
    why.cameBackOn && `Known on ${formats.calendarDay(why.cameBackOn)}`,
    why.insteadBecause && `Instead of its step: ${why.insteadBecause}`,
    why.againstBecause && `Not marked as a safe way: ${why.againstBecause}`,
    unmet &&
      `${unmet}Why they were invited all the same: ${why.unmetBecause ?? "shown to people who may read screenings"}`,
    why.struckBecause && `Why it was struck: ${why.struckBecause}`,
  ]
    .filter(Boolean)
    .join(". ");
  // What went by mail from here went.
  const mayStrike = !isTakenBack && delivery === null;
  return (
    <li>
      <Group justify="space-between" gap="xs">
        <span className="attempt-head">
          <strong>{CHANNEL_NAMES[channel]}</strong>
          <span>{facts.filter(Boolean).join(", ")}</span>
        </span>
        {doing === null && (
          <Group gap={4}>
            {mayComeBack(attempt) && (
              <Button size="compact-xs" variant="subtle" onClick={() => setDoing("return")}>
                {why.cameBackOn === "" ? "It came back" : "It did not come back"}
              </Button>
            )}
            {mayStrike && (
              <Button size="compact-xs" variant="subtle" color="red" onClick={() => setDoing("strike")}>
                Strike
              </Button>
            )}
          </Group>
        )}
      </Group>
      {because !== "" && <span className="attempt-none">{because}</span>}
      <AttemptWords wording={wording} />
      {doing === "strike" && <StrikeAttemptForm theCase={theCase} attempt={attempt} onBack={back} />}
      {doing === "return" && <ReturnAttemptForm theCase={theCase} attempt={attempt} onBack={back} />}
    </li>
  );
}

function AttemptWords({ wording }: Pick<Attempt, "wording">) {
  if (wording === null) return <span className="attempt-none">You may not read mail, so its words are not shown.</span>;
  if (wording === "") return <span className="attempt-none">Its words were not kept.</span>;
  return (
    <details>
      <summary>Its words</summary>
      <p className="attempt-words">{wording}</p>
    </details>
  );
}
