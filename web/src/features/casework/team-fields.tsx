import { mayMediate } from "@app/shared/team-access";
import { type CaseFields, MEDIATORS_MAX, STAFF_MAX } from "@app/shared/cases";
import { MultiSelect } from "@mantine/core";
import { api } from "../../core/api.ts";
import type { useServerForm } from "../../core/form.tsx";

interface Props {
  form: Pick<ReturnType<typeof useServerForm<CaseFields>>, "setFieldValue" | "errors"> & {
    values: Pick<CaseFields, "mediators" | "staffIds">;
  };
  isDisabled: boolean;
}

const NOT_YOURS = "The owner or a mediator of the case chooses them";

/** Who of the practice works on a case. Whoever is taken off sees nothing more of it. */
export function TeamFields({ form: { values, setFieldValue, errors }, isDisabled }: Props) {
  const { data } = api.users.colleagues.useQuery();
  const people = data?.items ?? [];
  const mediatorIds = values.mediators.map(({ userId }) => userId);
  const choicesOf = (chosen: typeof people) => chosen.map(({ userId, name }) => ({ value: userId, label: name }));
  return (
    <>
      <MultiSelect
        label="Mediators"
        description={isDisabled ? NOT_YOURS : "The first leads"}
        disabled={isDisabled}
        data={choicesOf(people.filter(({ userId, role }) => mayMediate(role) || mediatorIds.includes(userId)))}
        value={mediatorIds}
        maxValues={MEDIATORS_MAX}
        onChange={(ids) =>
          setFieldValue(
            "mediators",
            ids.map((userId, index) => ({ userId, isLead: index === 0 })),
          )
        }
        error={errors["mediators"]}
      />
      <MultiSelect
        label="Also working on it"
        description={isDisabled ? NOT_YOURS : "For colleagues who see only their own cases"}
        disabled={isDisabled}
        data={choicesOf(people.filter(({ userId }) => !mediatorIds.includes(userId)))}
        value={values.staffIds.filter((id) => !mediatorIds.includes(id))}
        maxValues={STAFF_MAX}
        onChange={(ids) => setFieldValue("staffIds", ids)}
        error={errors["staffIds"]}
      />
    </>
  );
}
