import { type Child, CHILDREN_MAX } from "@app/shared/cases";
import { ActionIcon, Button, Checkbox, Group, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { Section } from "../../ui/section.tsx";

const EMPTY: Child = {
  firstName: "",
  dateOfBirth: "",
  livesWith: "",
  cim: { isOffered: false, haveParentsConsented: false, hasChildConsented: false, overrideReason: "" },
};

interface Props {
  items: readonly Child[];
  errors: Record<string, string>;
  onChange: (items: Child[]) => void;
}

/** The children whom a case is about; what a child says is never kept here. */
export function ChildrenFields({ items, errors, onChange }: Props) {
  const set = (index: number, change: Partial<Child>) =>
    onChange(items.map((child, at) => (at === index ? { ...child, ...change } : child)));
  return (
    <Section title="Children" count={items.length} order={3}>
      <Stack gap="md" pt="sm">
        {items.map((child, index) => (
          <ChildFields
            key={index}
            child={child}
            number={index + 1}
            nameError={errors[`children.${index}.firstName`]}
            onChange={(change) => set(index, change)}
            onTakeOut={() => onChange(items.filter((_child, at) => at !== index))}
          />
        ))}
        {items.length < CHILDREN_MAX && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}
              onClick={() => onChange([...items, EMPTY])}
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
  nameError: string | undefined;
  onChange: (change: Partial<Child>) => void;
  onTakeOut: () => void;
}

function ChildFields({ child, number, nameError, onChange, onTakeOut }: ChildProps) {
  return (
    <Stack gap="xs">
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <TextInput
          label="First name"
          value={child.firstName}
          error={nameError}
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
        <ActionIcon variant="default" size={30} aria-label={`Take out child ${number}`} onClick={onTakeOut}>
          <IconTrash size={16} stroke={1.7} />
        </ActionIcon>
      </Group>
      <InclusionFields cim={child.cim} onChange={(change) => onChange({ cim: { ...child.cim, ...change } })} />
    </Stack>
  );
}

interface InclusionProps {
  cim: Child["cim"];
  onChange: (change: Partial<Child["cim"]>) => void;
}

/** Whether the child itself is heard: child-inclusive mediation needs the word of both parents and of the child. */
function InclusionFields({ cim, onChange }: InclusionProps) {
  return (
    <Group gap="lg">
      <Checkbox
        label="Child-inclusive mediation offered"
        checked={cim.isOffered}
        onChange={(event) => onChange({ isOffered: event.currentTarget.checked })}
      />
      <Checkbox
        label="Both parents agree"
        checked={cim.haveParentsConsented}
        onChange={(event) => onChange({ haveParentsConsented: event.currentTarget.checked })}
      />
      <Checkbox
        label="The child agrees"
        checked={cim.hasChildConsented}
        onChange={(event) => onChange({ hasChildConsented: event.currentTarget.checked })}
      />
    </Group>
  );
}
