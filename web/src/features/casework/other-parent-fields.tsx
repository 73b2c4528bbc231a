import { type Inclusion, OTHER_PARENT_MAX_LENGTH, OTHER_PARENTS_MAX } from "@app/shared/child-inclusive";
import { ActionIcon, Button, Group, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { ConsentFields } from "./consent-fields.tsx";

type OtherParent = Inclusion["otherParents"][number];

interface Props {
  cim: Inclusion;
  errorOf: (field: string) => string | undefined;
  onChange: (change: Partial<Inclusion>) => void;
}

const EMPTY: OtherParent = { name: "", state: "", on: "", how: "" };

/** Whoever has parental responsibility and is no party of the case: they are asked too. */
export function OtherParentFields({ cim: { otherParents }, errorOf, onChange }: Props) {
  const set = (index: number, change: Partial<OtherParent>) =>
    onChange({ otherParents: otherParents.map((one, at) => (at === index ? { ...one, ...change } : one)) });
  return (
    <>
      {otherParents.map((parent, index) => (
        <Stack key={index} gap="xs">
          <Group gap="sm" align="flex-start" wrap="nowrap">
            <TextInput
              flex={1}
              label="A parent who is not a party"
              maxLength={OTHER_PARENT_MAX_LENGTH}
              value={parent.name}
              error={errorOf(`otherParents.${index}.name`)}
              onChange={(event) => set(index, { name: event.currentTarget.value })}
            />
            <ActionIcon
              variant="default"
              size={30}
              mt={22}
              aria-label={`Take out ${parent.name || "this parent"}`}
              onClick={() => onChange({ otherParents: otherParents.filter((_one, at) => at !== index) })}
            >
              <IconTrash size={16} stroke={1.7} />
            </ActionIcon>
          </Group>
          <ConsentFields
            name={parent.name || "this parent"}
            consent={parent}
            errorOf={(field) => errorOf(`otherParents.${index}.${field}`)}
            onChange={(consent) => set(index, consent)}
          />
        </Stack>
      ))}
      {otherParents.length < OTHER_PARENTS_MAX && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}
            onClick={() => onChange({ otherParents: [...otherParents, EMPTY] })}
          >
            Add a parent who is not a party
          </Button>
        </Group>
      )}
    </>
  );
}
