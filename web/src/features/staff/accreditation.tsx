import type { StaffUser } from "@app/shared/users";
import { Button } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { Section } from "../../ui/section.tsx";

/** The owner's word that somebody's registration number is right: only then do they sign MIAM certificates. */
export function Accreditation({ person }: { person: StaffUser }) {
  const utils = api.useUtils();
  const formats = useFormats();
  const confirm = api.staff.confirmAccreditation.useMutation({
    onSuccess: async (_saved, { isConfirmed }) => {
      notify(isConfirmed ? `The number of ${person.firstName} is confirmed` : "The confirmation is taken back");
      await Promise.all([utils.staff.list.invalidate(), utils.users.invalidate()]);
    },
    onError: (error) => notifyError(messageOf(error)),
  });
  const { id, firstName, isAccredited, accreditationNumber: number, accreditationConfirmedAt } = person;
  if (!isAccredited) return null;
  const isConfirmed = accreditationConfirmedAt !== null;
  const text = isConfirmed
    ? `Number ${number}, confirmed by you on ${formats.day(accreditationConfirmedAt)}. ${firstName} may sign MIAM certificates.`
    : `Number ${number || "missing"}. Look it up in the register of the Family Mediation Council, then confirm it: until then ${firstName} signs no MIAM certificate.`;
  return (
    <Section title="FMC registration number (URN)" order={3}>
      <div className="staff-switch">
        <span>{text}</span>
        <Button
          variant="default"
          loading={confirm.isPending}
          disabled={number === ""}
          onClick={() => confirm.mutate({ id, number, isConfirmed: !isConfirmed })}
        >
          {isConfirmed ? "Take confirmation back" : "Confirm number"}
        </Button>
      </div>
    </Section>
  );
}
