import { HOLDERS_MAX } from "@app/shared/session-amendments";
import type { Session } from "@app/shared/sessions";
import { mayMediate } from "@app/shared/team-access";
import { MultiSelect } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";

/** Who held it as it stands, until somebody changes it. */
export function useMediators({ mediatorIds, mediatorNames }: Session) {
  const [ids, setIds] = useState(mediatorIds);
  const isDirty = String(ids.toSorted()) !== String(mediatorIds.toSorted());
  const known = mediatorIds.map((value, index) => ({ value, label: mediatorNames[index] ?? "" }));
  return { ids, setIds, isDirty, known };
}

/** Whoever is recorded may have left since, and stays among those who can be chosen. */
export function HeldBy({ ids, setIds, known, error }: ReturnType<typeof useMediators> & { error: string | undefined }) {
  const { data } = api.users.colleagues.useQuery();
  const others = (data?.items ?? [])
    .filter(({ userId, role }) => mayMediate(role) && known.every(({ value }) => value !== userId))
    .map(({ userId, name }) => ({ value: userId, label: name }));
  return (
    <MultiSelect
      label="Held by"
      data={[...known, ...others]}
      value={ids}
      maxValues={HOLDERS_MAX}
      onChange={setIds}
      error={error}
    />
  );
}
