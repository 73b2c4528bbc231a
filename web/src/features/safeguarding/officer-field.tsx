import { Button, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { fieldErrorsOf, isUnconfirmed, messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { OfficersNamed } from "./officers-named.tsx";

const cannotRead = (name: string): string =>
  `${name} cannot read it now: they are suspended, or lost a permission. Put that right, or choose somebody else: until then nobody reads it but its author.`;

/** Who reads every suspicion of the practice; the owner chooses, and reads only their own. */
export function OfficerField() {
  const [chosen, setChosen] = useState<string>();
  const [refused, setRefused] = useState("");
  const utils = api.useUtils();
  const officer = api.safeguarding.officer.useQuery();
  const people = api.users.colleagues.useQuery();
  const set = api.safeguarding.setOfficer.useMutation();
  async function choose(userId: string) {
    try {
      const { name } = await set.mutateAsync({ userId: userId || null });
      await utils.safeguarding.invalidate();
      setChosen(undefined);
      notify(name ? `${name} is the nominated officer` : "The practice has no nominated officer");
    } catch (error) {
      if (isUnconfirmed(error)) return;
      const { userId: message } = fieldErrorsOf(error);
      if (message === undefined) notifyError(messageOf(error));
      setRefused(message ?? "");
    }
  }
  const { userId = null, name = "", mayRead = true } = officer.data ?? {};
  const active = (people.data?.items ?? []).map((one) => ({ value: one.userId, label: one.name }));
  const isGone = userId !== null && people.data !== undefined && !active.some(({ value }) => value === userId);
  return (
    <>
      <NativeSelect
        label="Nominated officer"
        description="Reads what anybody here suspects about the proceeds of crime, and needs “Read the safeguarding record”. Nobody else but its author does."
        data={[{ value: "", label: "Nobody" }, ...active, ...(isGone ? [{ value: userId, label: name }] : [])]}
        disabled={!officer.data || set.isPending}
        value={chosen ?? userId ?? ""}
        error={refused || (chosen === undefined && userId !== null && !mayRead && cannotRead(name))}
        onChange={(event) => {
          setRefused("");
          setChosen(event.currentTarget.value);
        }}
        maw={480}
        mt="lg"
      />
      {/* Going through the list names nobody yet. */}
      {chosen !== undefined && chosen !== (userId ?? "") && (
        <Button variant="default" mt="sm" loading={set.isPending} onClick={() => void choose(chosen)}>
          {chosen === "" ? "Have no nominated officer" : "Name as the officer"}
        </Button>
      )}
      <OfficersNamed />
    </>
  );
}
