import type { Session } from "@app/shared/sessions";
import { Button } from "@mantine/core";
import { useFormats } from "../../core/format.ts";
import { Section } from "../../ui/section.tsx";
import { useCockpit } from "./cockpit-context.ts";

/** When the session took place, with every time that was written by hand. */
export function HeldTime() {
  const { session, isOpen, show } = useCockpit();
  const formats = useFormats();
  const { startedAt, endedAt, status, timeChanges, mediatorNames } = session;
  if (startedAt === null || endedAt === null) return null;
  const span = (from: string | null, to: string | null) =>
    from && to ? `${formats.dateTime(from)} to ${formats.time(to)}` : "";
  const isCorrectable = isOpen && status === "ended";
  return (
    <Section
      title="Took place"
      action={
        isCorrectable && (
          <Button size="xs" variant="default" onClick={() => show("time")}>
            Correct the time
          </Button>
        )
      }
    >
      <p className="cockpit-outcome tabular">{span(startedAt, endedAt)}</p>
      {mediatorNames.length > 0 && <p className="quiet-text">Held by {mediatorNames.join(", ")}</p>}
      {timeChanges.map(({ at, byName, from, reason }) => (
        <p key={at} className="quiet-text">
          {reason ? `Was ${span(from.startedAt, from.endedAt)}. ${reason}. ` : "Written up later. "}
          {byName}, {formats.dateTime(at)}
        </p>
      ))}
    </Section>
  );
}

/** What was missing for it then is said for good, with why it was held all the same. */
export function Unmet() {
  const { unmet, unmetBefore } = useCockpit().session;
  return (
    <>
      {unmet.length > 0 && (
        <Section title="Missing when it took place">
          <UnmetList unmet={unmet} />
        </Section>
      )}
      {unmetBefore.length > 0 && (
        <Section title="Said to be missing then">
          <p className="quiet-text">By the days of the case as they were corrected since, it was not missing.</p>
          <UnmetList unmet={unmetBefore} />
        </Section>
      )}
    </>
  );
}

function UnmetList({ unmet }: { unmet: Session["unmet"] }) {
  const formats = useFormats();
  return unmet.map(({ what, reason, at, byName }) => (
    <div key={`${at}${what.join()}`} className="cockpit-unmet">
      <ul>
        {what.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      {reason !== null && <p className="cockpit-outcome-text">Held all the same: {reason}</p>}
      <p className="quiet-text">
        {byName}, {formats.dateTime(at)}
      </p>
    </div>
  ));
}
