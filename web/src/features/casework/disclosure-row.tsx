import type { Case } from "@app/shared/cases";
import type { Disclosure } from "@app/shared/disclosures";
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { useCaseChanged } from "./use-case-changes.ts";

interface Props {
  theCase: Case;
  disclosure: Disclosure;
}

/** One record: what may be told, on whose word, and how it ends. */
export function DisclosureRow({ theCase, disclosure }: Props) {
  const formats = useFormats();
  const [isEnding, setIsEnding] = useState(false);
  const { what, ground, fileIds, to, hasReport, court = "", endedAt, endReason } = disclosure;
  const { data: files } = api.files.marked.useQuery({ caseId: theCase.id }, { enabled: fileIds.length > 0 });
  const nameOf = (id: string) => files?.items.find((file) => file.id === id)?.name ?? "a file you cannot see here";
  const things = [...fileIds.map(nameOf), ...(hasReport ? ["the report to a court"] : [])].join(", ");
  const labelOf = (id: string) => theCase.parties.find(({ partyId }) => partyId === id)?.label ?? "A party";
  const whyOf = (why: Disclosure["ground"]): string => {
    switch (why.kind) {
      case "order":
        return `Order of ${formats.calendarDay(why.on)}, ${why.reference}`;
      case "law":
        return `Required by law, decided on ${formats.calendarDay(why.on)}: ${why.duty}`;
      case "consents":
        return why.consents
          .map(({ partyId, on, how }) => `${labelOf(partyId)} on ${formats.calendarDay(on)}, ${how}`)
          .join("; ");
    }
  };
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <span>
          <strong>{what}</strong>
          <br />
          <span className="disclosed">
            {things || "Nothing: it was recorded before files were named"}
            {to.length > 0 && `, to ${to.join(", ")}`}
            {court && `, to the court: ${court}`}
          </span>
          <br />
          <span className="quiet-text">
            {whyOf(ground)}
            {endedAt && `. Ended ${formats.day(endedAt)}: ${endReason}`}
          </span>
        </span>
        {endedAt === null && !isEnding && (
          <Button size="xs" variant="default" onClick={() => setIsEnding(true)}>
            End it
          </Button>
        )}
      </Group>
      {isEnding && <EndForm theCase={theCase} disclosure={disclosure} onDone={() => setIsEnding(false)} />}
    </li>
  );
}

function EndForm({ theCase, disclosure, onDone }: Props & { onDone: () => void }) {
  const changed = useCaseChanged();
  const end = api.casework.endDisclosure.useMutation();
  const form = useOpenedForm({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: { reason: "" },
    validate: ({ reason }): Record<string, string> => (reason.trim() === "" ? { reason: "Say why it ends" } : {}),
    submit: async ({ reason }, { id, version }) => {
      await end.mutateAsync({ id, version, disclosureId: disclosure.id, reason });
      await changed();
      notify("It lets nothing out any more");
      onDone();
    },
  });
  return (
    <OpenedForm form={form} what="case" label="End it">
      <Stack gap="sm" pt="sm">
        <TextInput label="Why does it end?" {...form.field("reason")} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Keep it
          </Button>
          <Button type="submit" loading={form.isSaving}>
            End it
          </Button>
        </Group>
      </Stack>
    </OpenedForm>
  );
}
