import type { StaffUser } from "@app/shared/users";
import { Button } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { Section } from "../../ui/section.tsx";

/** The owner's word of what the register says: who signs MIAM certificates, and who sees children in mediation. */
export function Accreditation({ person }: { person: StaffUser }) {
  const formats = useFormats();
  const { firstName, accreditationNumber: number, accreditationConfirmedAt, childInclusiveConfirmedAt } = person;
  return (
    <>
      {person.isAccredited && (
        <Section title="FMC registration number (URN)" order={3}>
          <Confirmation
            person={person}
            what="number"
            text={
              accreditationConfirmedAt
                ? `Number ${number}, confirmed by you on ${formats.day(accreditationConfirmedAt)}. ${firstName} may sign MIAM certificates.`
                : `Number ${number || "missing"}. Look it up in the register of the Family Mediation Council, then confirm it: until then ${firstName} signs no MIAM certificate.`
            }
          />
        </Section>
      )}
      {person.isChildInclusive && (
        <Section title="Child-inclusive registration" order={3}>
          <Confirmation
            person={person}
            what="child_inclusive"
            text={
              childInclusiveConfirmedAt
                ? `Confirmed by you on ${formats.day(childInclusiveConfirmedAt)}. ${firstName} may lead child-inclusive meetings.`
                : `Look up number ${number || "(missing)"} in the register, then confirm it: until then ${firstName} leads no child-inclusive meeting.`
            }
          />
        </Section>
      )}
    </>
  );
}

interface Props {
  person: StaffUser;
  what: "number" | "child_inclusive";
  text: string;
}

function Confirmation({ person, what, text }: Props) {
  const utils = api.useUtils();
  const { id, firstName, accreditationNumber: number } = person;
  const confirm = api.staff.confirmAccreditation.useMutation({
    onSuccess: async (_saved, { isConfirmed }) => {
      const thing = what === "number" ? "number" : "registration";
      notify(isConfirmed ? `The ${thing} of ${firstName} is confirmed` : "The confirmation is taken back");
      await Promise.all([utils.staff.list.invalidate(), utils.users.invalidate()]);
    },
    onError: (error) => notifyError(messageOf(error)),
  });
  const isConfirmed = (what === "number" ? person.accreditationConfirmedAt : person.childInclusiveConfirmedAt) !== null;
  return (
    <div className="staff-switch">
      <span>{text}</span>
      <Button
        variant="default"
        loading={confirm.isPending}
        disabled={number === ""}
        onClick={() => confirm.mutate({ id, number, what, isConfirmed: !isConfirmed })}
      >
        {isConfirmed ? "Take confirmation back" : `Confirm ${what === "number" ? "number" : "registration"}`}
      </Button>
    </div>
  );
}
