import type { Party } from "@app/shared/cases";
import { MEETING_OTHERS_MAX, OTHER_ROLE_NAMES, OTHER_ROLES } from "@app/shared/meeting-others";
import type { Meeting } from "@app/shared/meetings";
import { ActionIcon, Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { NOBODY_YET, type OtherChoice, roleOf } from "./other-choices.ts";
import { EVERYBODYS } from "./room-choices.ts";

interface Props {
  value: readonly OtherChoice[];
  /** Empty where it belongs to no case. */
  caseId: string;
  /** Those whom the meeting has already. */
  booked?: Meeting["others"];
  coming: readonly Pick<Party, "partyId" | "name">[];
  errors: Record<string, string | undefined>;
  onChange: (others: OtherChoice[]) => void;
}

const EVERYBODY = { value: EVERYBODYS, label: "Everybody" };
const ROLES = [
  { value: "", label: "Choose" },
  ...OTHER_ROLES.map((value) => ({ value, label: OTHER_ROLE_NAMES[value] })),
];

/** Lawyers, interpreters and others who come: contacts of the case, or colleagues. */
export function OtherFields({ value, caseId, booked = [], coming, errors, onChange }: Props) {
  const people = usePeople(caseId, booked);
  const set = (index: number, change: Partial<OtherChoice>) =>
    onChange(value.map((other, at) => (at === index ? { ...other, ...change } : other)));
  return (
    <Stack gap="sm" role="group" aria-label="Other people who come">
      {value.map((other, index) => (
        <OtherRow
          key={index}
          other={other}
          number={index + 1}
          people={people}
          coming={coming}
          error={errors[`others.${index}`] ?? (index === 0 ? errors["others"] : undefined)}
          onChange={(change) => set(index, change)}
          onTakeOut={() => onChange(value.filter((_other, at) => at !== index))}
        />
      ))}
      {value.length < MEETING_OTHERS_MAX && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}
            onClick={() => onChange([...value, NOBODY_YET])}
          >
            Add a lawyer, interpreter or other
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface Person {
  kind: OtherChoice["kind"];
  personId: string;
  label: string;
  /** For whom a contact comes: where they stand in the case. Null for a colleague, who comes for anybody. */
  sides: readonly string[] | null;
}

/** Everybody who can be named, once. */
function usePeople(caseId: string, booked: Meeting["others"]): Person[] {
  const contacts = api.contacts.ofCase.useQuery({ id: caseId }, { enabled: caseId !== "" });
  const staff = api.users.colleagues.useQuery();
  const places = Map.groupBy(contacts.data?.items ?? [], ({ contactId }) => contactId);
  const all: Person[] = [
    ...[...places].map(([personId, of]) => ({
      kind: "contact" as const,
      personId,
      label: of[0]?.displayName ?? "",
      sides: of.map(({ partyId }) => partyId ?? EVERYBODYS),
    })),
    ...(staff.data?.items ?? []).map(({ userId, name }) => ({
      kind: "colleague" as const,
      personId: userId,
      label: `${name} (colleague)`,
      sides: null,
    })),
    ...booked.map(({ kind, personId, name, partyId }) => ({
      kind,
      personId,
      label: name,
      sides: kind === "contact" ? [partyId ?? EVERYBODYS] : null,
    })),
  ];
  return all.filter(({ personId }, index) => all.findIndex((one) => one.personId === personId) === index);
}

interface RowProps {
  other: OtherChoice;
  /** The first is 1. */
  number: number;
  people: readonly Person[];
  coming: Props["coming"];
  error: string | undefined;
  onChange: (change: Partial<OtherChoice>) => void;
  onTakeOut: () => void;
}

function OtherRow({ other, number, people, coming, error, onChange, onTakeOut }: RowProps) {
  const sidesFor = (personId: string) => {
    const sides = people.find((one) => one.personId === personId)?.sides;
    const all = [...coming.map(({ partyId, name }) => ({ value: partyId, label: name })), EVERYBODY];
    return sides ? all.filter(({ value }) => sides.includes(value)) : all;
  };
  const choose = (personId: string) => {
    const [only, ...more] = sidesFor(personId);
    const whose = only && more.length === 0 ? only.value : "";
    onChange({ personId, whose, kind: people.find((one) => one.personId === personId)?.kind ?? "contact" });
  };
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" flex={1}>
        <NativeSelect
          label={`Person ${number}`}
          description="A contact of the case, or a colleague"
          data={[{ value: "", label: "Choose" }, ...people.map(({ personId, label }) => ({ value: personId, label }))]}
          value={other.personId}
          error={error}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        <NativeSelect
          label="Comes as"
          description="An interpreter is in one meeting at a time"
          data={ROLES}
          value={other.role}
          onChange={(event) => onChange({ role: roleOf(event.currentTarget.value) })}
        />
        <NativeSelect
          label="Comes for"
          description="As recorded in the case; nobody else is told about them"
          data={[{ value: "", label: "Choose" }, ...sidesFor(other.personId)]}
          value={other.whose}
          error={
            other.personId && sidesFor(other.personId).length === 0 ? "Whom they stand with does not come" : undefined
          }
          onChange={(event) => onChange({ whose: event.currentTarget.value })}
        />
        <TextInput
          label="Signed the confidentiality agreement on"
          description="Needed before the session starts"
          type="date"
          value={other.signedOn}
          onChange={(event) => onChange({ signedOn: event.currentTarget.value })}
        />
      </SimpleGrid>
      <ActionIcon variant="default" size={30} mt={22} aria-label={`Take out person ${number}`} onClick={onTakeOut}>
        <IconTrash size={16} stroke={1.7} />
      </ActionIcon>
    </Group>
  );
}
