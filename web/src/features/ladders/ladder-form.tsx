import { type Ladder, type Rung, RUNGS_MAX } from "@app/shared/ladders";
import { Button, Group, Input, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { LADDER_FIELDS, type LadderValues, recordOf } from "./ladder-record.ts";
import { RungFields } from "./rung-fields.tsx";

const NEW_RUNG: Rung = { channel: "email", afterDays: 7, replyDays: 7, template: "" };

export function LadderForm({ ladder }: { ladder: Ladder }) {
  const { domain } = ladder;
  const utils = api.useUtils();
  const update = api.ladders.update.useMutation();
  const form = useVersionedForm<LadderValues>({
    fields: LADDER_FIELDS,
    stored: recordOf(ladder),
    async read() {
      const { items } = await utils.ladders.list.fetch(undefined, { staleTime: 0 });
      return recordOf(items.find((each) => each.domain === domain) ?? ladder);
    },
    async send({ rungs }, version) {
      const saved = await update.mutateAsync({ domain, rungs, version });
      await utils.ladders.list.invalidate();
      notify("The steps are saved");
      return recordOf(saved);
    },
  });
  const { rungs } = form.values;
  const setRungs = (next: Rung[]) => form.setFieldValue("rungs", next);
  return (
    <VersionedForm form={form} what="ladder" label="Steps of the invitation">
      <Stack gap="lg">
        <ol className="ladder">
          {rungs.map((rung, index) => (
            <RungFields
              key={index}
              rung={rung}
              index={index}
              count={rungs.length}
              errors={form.errors}
              onChange={(change) => setRungs(rungs.map((each, at) => (at === index ? { ...each, ...change } : each)))}
              onMove={(by) => setRungs(moved(rungs, index, by))}
              onTakeOut={() => setRungs(rungs.filter((_each, at) => at !== index))}
            />
          ))}
        </ol>
        {form.errors["rungs"] && <Input.Error>{form.errors["rungs"]}</Input.Error>}
        <Group justify="space-between">
          <Button
            variant="default"
            disabled={rungs.length >= RUNGS_MAX}
            leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}
            onClick={() => setRungs([...rungs, NEW_RUNG])}
          >
            Add a step
          </Button>
          <Button type="submit" loading={form.newer.isSaving} disabled={!form.newer.isDirty}>
            Save steps
          </Button>
        </Group>
      </Stack>
    </VersionedForm>
  );
}

function moved(rungs: readonly Rung[], index: number, by: -1 | 1): Rung[] {
  const next = [...rungs];
  next.splice(index + by, 0, ...next.splice(index, 1));
  return next;
}
