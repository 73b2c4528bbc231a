import type { Attempt } from "@app/shared/ladders";
import { useFormats } from "../../core/format.ts";
import { CHANNEL_NAMES } from "../cases/case-words.ts";
import { notMade } from "./invitation-words.ts";

/** Each attempt with its words, for the practice's own eyes. */
export function AttemptList({ attempts }: { attempts: readonly Attempt[] }) {
  const formats = useFormats();
  if (attempts.length === 0) return <p className="attempt-note">Nobody has tried to reach them yet.</p>;
  return (
    <ul className="attempts">
      {attempts.map((attempt) => {
        const { id, channel, on, replyBy, madeByName, wording } = attempt;
        const trouble = notMade(attempt);
        const reply = replyBy === "" ? "" : `reply by ${formats.calendarDay(replyBy)}`;
        return (
          <li key={id}>
            <span className="attempt-head">
              <strong>{CHANNEL_NAMES[channel]}</strong>
              <span>{[formats.calendarDay(on), madeByName, trouble || reply].filter(Boolean).join(", ")}</span>
            </span>
            <AttemptWords wording={wording} />
          </li>
        );
      })}
    </ul>
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
