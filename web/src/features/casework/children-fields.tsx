import type { Child, Party } from "@app/shared/cases";
import { CHILDREN_MAX, NOT_INCLUDED } from "@app/shared/child-inclusive";
import { ActionIcon, Button, Group, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { makeId } from "../../core/new-id.ts";
import { Section } from "../../ui/section.tsx";
import { InclusionFields } from "./inclusion-fields.tsx";

const EMPTY: Omit<Child, "childId"> = {
  firstName: "",
  dateOfBirth: "",
  livesWith: "",
  cim: NOT_INCLUDED,
};

interface Props {
  parties: readonly Party[];
  items: readonly Child[];
  errors: Record<string, string>;
  onChange: (items: Child[]) => void;
}

/** The children whom a case is about; what a child says is never kept here. */
export function ChildrenFields({ parties, items, errors, onChange }: Props) {
  const set = (index: number, change: Partial<Child>) =>
    onChange(items.map((child, at) => (at === index ? { ...child, ...change } : child)));
  return (
    <Section title="Children" count={items.length} order={3}>
      <Stack gap="md" pt="sm">
        {items.map((child, index) => (
          <ChildFields
            key={child.childId}
            child={child}
            number={index + 1}
            parties={parties}
            errors={errors}
            onChange={(change) => set(index, change)}
            onTakeOut={() => onChange(items.filter((_child, at) => at !== index))}
          />
        ))}
        {items.length < CHILDREN_MAX && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}
              onClick={() => onChange([...items, { childId: makeId(), ...EMPTY }])}
            >
              Add a child
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}

interface ChildProps {
  child: Child;
  /** The first is 1. */
  number: number;
  parties: readonly Party[];
  errors: Record<string, string>;
  onChange: (change: Partial<Child>) => void;
  onTakeOut: () => void;
}

function ChildFields({ child, number, parties, errors, onChange, onTakeOut }: ChildProps) {
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm" flex={1}>
          <TextInput
            label="First name"
            value={child.firstName}
            error={errors[`children.${number - 1}.firstName`]}
            onChange={(event) => onChange({ firstName: event.currentTarget.value })}
          />
          <TextInput
            label="Born (optional)"
            type="date"
            value={child.dateOfBirth}
            onChange={(event) => onChange({ dateOfBirth: event.currentTarget.value })}
          />
          <TextInput
            label="Lives with (optional)"
            value={child.livesWith}
            onChange={(event) => onChange({ livesWith: event.currentTarget.value })}
          />
        </SimpleGrid>
        <ActionIcon variant="default" size={30} mt={22} aria-label={`Take out child ${number}`} onClick={onTakeOut}>
          <IconTrash size={16} stroke={1.7} />
        </ActionIcon>
      </Group>
      <InclusionFields
        child={child}
        parties={parties}
        errorOf={(field) => errors[`children.${number - 1}.cim.${field}`]}
        onChange={(change) => onChange({ cim: { ...child.cim, ...change } })}
      />
    </Stack>
  );
}
