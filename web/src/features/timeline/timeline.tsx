import type { HistoryEvent } from "@app/shared/history";
import { useFormats } from "../../core/format.ts";
import { Readers } from "../visibility/readers.tsx";
import "./timeline.css";

interface Props {
  events: readonly HistoryEvent[];
  parties: readonly { partyId: string; label: string }[];
}

/** What happened, the newest first, each with who can read it. */
export function Timeline({ events, parties }: Props) {
  const formats = useFormats();
  return (
    <ol className="timeline">
      {events.map((event) => (
        <li key={event.id}>
          <time className="tabular" dateTime={event.at}>
            {formats.dateTime(event.at)}
          </time>
          <span className="timeline-readers">
            <Readers visibility={event.visibility} parties={parties} />
          </span>
          <span className="timeline-text">{event.text}</span>
          <span className="timeline-actor">{event.actorName}</span>
        </li>
      ))}
    </ol>
  );
}
