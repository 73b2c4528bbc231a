import type { Case } from "@app/shared/cases";
import type { Note } from "@app/shared/notes";
import { plainText } from "@app/shared/rich-text";
import type { Visibility, VisibilityScope } from "@app/shared/visibility";
import { Radio, Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { makeId } from "../../core/new-id.ts";
import { notify } from "../../core/notify.ts";
import { type Fact, OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { NoteFrame } from "./note-frame.tsx";
import { namesOfParties } from "./note-words.ts";

const WORDS: Partial<Record<VisibilityScope, string>> = {
  mediator: "Only the mediators of the case and the owner",
  staff: "The practice team, and no party",
};

const SCOPE_NAMES = {
  mediator: "The mediators",
  staff: "The practice team",
  party: "One party and the practice",
  shared: "All parties and the practice",
} as const satisfies Record<VisibilityScope, string>;

/** What somebody decides by who takes readers away. */
const NOTE_FACTS: readonly Fact<Note>[] = [
  { key: "body", label: "Text", value: ({ body }) => body, text: ({ body }) => plainText(body) },
  {
    key: "visibility",
    label: "Read by",
    value: ({ visibility }) => visibility,
    text: ({ visibility }) => SCOPE_NAMES[visibility.scope],
  },
];

const narrowed = (before: Visibility, scope: "mediator" | "staff"): Visibility => ({ ...before, scope, partyIds: [] });

/** Takes readers away from a saved note. Nobody can be added to one: that is a release. */
export function NarrowDialog({ note, theCase, onClose }: { note: Note; theCase: Case | null; onClose: () => void }) {
  const utils = api.useUtils();
  const update = api.notes.update.useMutation({ onSettled: () => utils.notes.invalidate() });
  const form = useOpenedForm<Note, { scope: "mediator" | "staff" | "" }>({
    record: note,
    facts: NOTE_FACTS,
    initialValues: { scope: "" },
    submit: async ({ scope }, { id, version, visibility: before }) => {
      if (scope === "") return;
      await update.mutateAsync({ id, version, saveId: makeId(), visibility: narrowed(before, scope) });
      notify("Shown to fewer people now");
      onClose();
    },
  });
  const { opened } = form;
  const { scope } = form.values;
  const scopes = (["mediator", "staff"] as const).filter(
    (each) => each === "mediator" || opened.visibility.scope !== "staff",
  );
  const visibility = scope === "" ? null : narrowed(opened.visibility, scope);
  return (
    <Dialog isOpen onClose={onClose} title="Show to fewer people">
      <OpenedForm form={form} what="note" label="Show to fewer people">
        <Radio.Group
          label="From now on it is read by"
          value={scope}
          onChange={(value) => form.setFieldValue("scope", value === "staff" ? "staff" : "mediator")}
        >
          <Stack gap="sm" mt="xs" mb="md">
            {scopes.map((each) => (
              <Radio key={each} value={each} label={WORDS[each]} />
            ))}
          </Stack>
        </Radio.Group>
        {visibility && (
          <NoteFrame visibility={visibility} parties={namesOfParties(theCase)} label="How the note will be kept">
            <p className="note-body quiet-text">
              Whoever read it before keeps what they know. This cannot be widened again.
            </p>
          </NoteFrame>
        )}
        <FormFoot isSaving={form.isSaving} isDisabled={!visibility}>
          Show to fewer people
        </FormFoot>
      </OpenedForm>
    </Dialog>
  );
}
