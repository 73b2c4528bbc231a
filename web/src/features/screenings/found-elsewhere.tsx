import { Checkbox } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Panel } from "../../ui/panel.tsx";
import type { ScreeningForm, ScreeningProps } from "./use-screening.ts";

/** What was found of this party in another case of the same people: nobody finds them safe here who has not looked at it. */
export function FoundElsewhere({ form, elsewhere }: { form: ScreeningForm } & Pick<ScreeningProps, "elsewhere">) {
  const error = form.errors["hasLooked"] ?? form.errors["lookedAt"];
  if (elsewhere.length === 0 && error === undefined) return null;
  return (
    <Panel
      tone="danger"
      icon={<IconAlertTriangle size={18} stroke={1.7} aria-hidden />}
      title="Found not safe to mediate before"
    >
      {elsewhere.map(({ screeningId, words }) => (
        <p key={screeningId}>{words}</p>
      ))}
      <p>Read that screening first. If you may not see that case, ask a colleague who may.</p>
      <Checkbox
        mt="xs"
        label="I have looked at this"
        checked={form.values.hasLooked}
        error={error}
        aria-invalid={error !== undefined}
        onChange={(event) => form.setFieldValue("hasLooked", event.currentTarget.checked)}
      />
    </Panel>
  );
}
