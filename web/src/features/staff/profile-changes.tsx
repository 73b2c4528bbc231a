import type { StaffUser } from "@app/shared/users";
import { useFormats } from "../../core/format.ts";
import { Section } from "../../ui/section.tsx";

const NAMES = { name: "Name", accreditation: "Accreditation" } as const;

/** What this person changed of how they are named: what they did before stands under the earlier name. */
export function ProfileChanges({ person }: { person: StaffUser }) {
  const formats = useFormats();
  if (person.profileChanges.length === 0) return null;
  return (
    <Section title="Their own changes" order={3}>
      <ul className="staff-changes">
        {person.profileChanges.map(({ at, what, from, to }) => (
          <li key={`${at} ${what}`}>
            <span>
              {NAMES[what]}: {from} → {to}
            </span>
            <time dateTime={at} className="quiet-text">
              {formats.dateTime(at)}
            </time>
          </li>
        ))}
      </ul>
    </Section>
  );
}
