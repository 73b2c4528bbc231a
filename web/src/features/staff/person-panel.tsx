import { ROLES } from "@app/shared/access";
import type { StaffUser } from "@app/shared/users";
import { useFormats } from "../../core/format.ts";
import { Section } from "../../ui/section.tsx";
import { Accreditation } from "./accreditation.tsx";
import { PermissionsForm } from "./permissions-form.tsx";
import { PersonActions } from "./person-actions.tsx";
import { ProfileChanges } from "./profile-changes.tsx";

/** One person of the practice: who they are, what they may do, and whether they may come in at all. */
export function PersonPanel({ person }: { person: StaffUser }) {
  const name = `${person.firstName} ${person.lastName}`;
  const isOwner = person.role === ROLES.owner;
  return (
    <Section title={name} count={person.email} action={<LastSeen person={person} />}>
      {isOwner ? (
        <>
          <p className="quiet-text">
            The owner may do everything. Leads, staff, the subscription and deleting the practice always stay with the
            owner.
          </p>
          <Accreditation person={person} />
        </>
      ) : (
        <>
          <PermissionsForm person={person} />
          <Accreditation person={person} />
          <PersonActions person={person} />
        </>
      )}
      <ProfileChanges person={person} />
    </Section>
  );
}

function LastSeen({ person }: { person: StaffUser }) {
  const formats = useFormats();
  const factor = person.isTwoFactorOn ? "Two-factor on" : "Two-factor off";
  if (!person.lastSeenAt) return <span>{person.status === "invited" ? "Has not joined yet" : factor}</span>;
  return (
    <span>
      {factor}, last here{" "}
      <time dateTime={person.lastSeenAt} title={formats.dateTime(person.lastSeenAt)}>
        {formats.relative(person.lastSeenAt)}
      </time>
    </span>
  );
}
