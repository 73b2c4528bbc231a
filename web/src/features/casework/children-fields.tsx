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
          <Stack key={index} gap="xs">
            <Group gap="sm" align="flex-end" wrap="nowrap">
              <TextInput
                label="First name"
                value={child.firstName}
                error={errors[`children.${index}.firstName`]}
                onChange={(event) => set(index, { firstName: event.currentTarget.value })}
              />
              <TextInput
                label="Born (optional)"
                type="date"
                value={child.dateOfBirth}
                onChange={(event) => set(index, { dateOfBirth: event.currentTarget.value })}
              />
              <TextInput
                label="Lives with (optional)"
                value={child.livesWith}
                onChange={(event) => set(index, { livesWith: event.currentTarget.value })}
              />
              <ActionIcon
                variant="default"
                size={30}
                aria-label={`Take out child ${index + 1}`}
                onClick={() => onChange(items.filter((_child, at) => at !== index))}
              >
                <IconTrash size={16} stroke={1.7} />
              </ActionIcon>
            </Group>
            <Group gap="lg">
              <Checkbox
                label="Child-inclusive mediation offered"
                checked={child.cim.isOffered}
                onChange={(event) => set(index, { cim: { ...child.cim, isOffered: event.currentTarget.checked } })}
              />
              <Checkbox
                label="Both parents agree"
                checked={child.cim.haveParentsConsented}
                onChange={(event) =>
                  set(index, { cim: { ...child.cim, haveParentsConsented: event.currentTarget.checked } })
                }
              />
              <Checkbox
                label="The child agrees"
                checked={child.cim.hasChildConsented}
                onChange={(event) =>
                  set(index, { cim: { ...child.cim, hasChildConsented: event.currentTarget.checked } })
                }
              />
            </Group>
          </Stack>
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
