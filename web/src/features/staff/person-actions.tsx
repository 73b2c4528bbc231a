import type { StaffUser } from "@app/shared/users";
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Section } from "../../ui/section.tsx";

/** Lets a person in or keeps them out; nothing that they wrote goes away. */
export function PersonActions({ person }: { person: StaffUser }) {
  const utils = api.useUtils();
  const [isAsking, setIsAsking] = useState(false);
  const done = (message: string) => ({
    onSuccess: async () => {
      setIsAsking(false);
      notify(message);
      await Promise.all([
        utils.staff.list.invalidate(),
        utils.users.invalidate(),
        utils.safeguarding.invalidate(),
        utils.tasks.invalidate(),
      ]);
    },
    onError: (error: unknown) => notifyError(messageOf(error)),
  });
  const suspend = api.staff.suspend.useMutation(done(`${person.firstName} is suspended and signed out`));
  const reactivate = api.staff.reactivate.useMutation(done(`${person.firstName} can sign in again`));
  const remove = api.staff.removeInvitation.useMutation(done("The invitation is taken back"));
  const { id } = person;

  if (person.status === "suspended") {
    return (
      <Row text={`${person.firstName} is suspended and cannot sign in.`}>
        <Button variant="default" loading={reactivate.isPending} onClick={() => reactivate.mutate({ id })}>
          Let in again
        </Button>
      </Row>
    );
  }
  if (person.status === "invited") {
    return (
      <Row text={`${person.firstName} has not joined yet. Taking the invitation back makes its link useless.`}>
        <Button variant="outline" color="red" loading={remove.isPending} onClick={() => remove.mutate({ id })}>
          Take invitation back
        </Button>
      </Row>
    );
  }
  return (
    <Row text="A suspended person is signed out everywhere and cannot sign in. What they wrote stays.">
      <Button variant="outline" color="red" onClick={() => setIsAsking(true)}>
        Suspend
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Suspend ${person.firstName} ${person.lastName}`}
        confirmLabel="Suspend"
        isBusy={suspend.isPending}
        onConfirm={() => suspend.mutate({ id })}
      >
        They are signed out at once, on every device. You can let them in again at any time. For each meeting to come
        that is theirs alone you get a task to give it to somebody else.
      </ConfirmDialog>
    </Row>
  );
}

function Row({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Section title="Access" order={3}>
      <div className="staff-switch">
        <span>{text}</span>
        {children}
      </div>
    </Section>
  );
}
