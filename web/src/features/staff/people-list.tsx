import { ROLE_NAMES } from "@app/shared/access";
import type { StaffUser } from "@app/shared/users";
import { Link } from "@tanstack/react-router";
import { useFormats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import { PersonMark } from "../../ui/person-mark.tsx";
import { Section } from "../../ui/section.tsx";

interface Props {
  people: readonly StaffUser[];
  chosenId: string | undefined;
}

export function PeopleList({ people, chosenId }: Props) {
  return (
    <Section title="People">
      <ul className="staff-people">
        {people.map((person) => (
          <li key={person.id}>
            <Link
              to="/settings/user-permissions"
              search={{ person: person.id }}
              className="staff-person"
              activeProps={{}}
              aria-current={person.id === chosenId ? "true" : undefined}
              data-chosen={person.id === chosenId || undefined}
            >
              <PersonMark name={`${person.firstName} ${person.lastName}`} />
              <span className="staff-person-name">
                {person.firstName} {person.lastName}
                <span className="quiet-text">{ROLE_NAMES[person.role]}</span>
              </span>
              <StatusChip person={person} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function StatusChip({ person }: { person: StaffUser }) {
  const formats = useFormats();
  if (person.status === "active") return null;
  if (person.status === "suspended") return <Chip>Suspended</Chip>;
  return <Chip tone="outline">{person.invitedAt ? `Invited ${formats.relative(person.invitedAt)}` : "Invited"}</Chip>;
}
