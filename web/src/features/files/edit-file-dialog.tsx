import type { Case } from "@app/shared/cases";
import { mayHoldFinances } from "@app/shared/confidences";
import type { StoredFile } from "@app/shared/files";
import { RELEASED_AS_IT_IS } from "@app/shared/notes";
import { opensFinances } from "@app/shared/file-releases";
import { isWeaker } from "@app/shared/privileges";
import { answersFor } from "@app/shared/team-access";
import { Checkbox, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { plainFields } from "../../ui/version-fields.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import { namesOfParties } from "../notes/note-words.ts";
import { VisibilityPicker } from "../visibility/visibility-picker.tsx";
import { type NamedParty, wordsOf } from "../visibility/visibility-words.ts";
import { markName, MarkPicker, OUR_OWN } from "./mark-picker.tsx";

interface Props {
  file: StoredFile;
  theCase: Case | null;
  onClose: () => void;
}

interface FileValues extends Pick<StoredFile, "name" | "visibility" | "mark"> {
  tags: string;
  markReason: string;
}

const recordOf = ({ name, tags, visibility, mark, version }: StoredFile) => ({
  values: { name, tags: tags.join(", "), visibility, mark, markReason: "" },
  version,
});

const fieldsFor = (parties: readonly NamedParty[]) =>
  plainFields<FileValues>(
    { name: "Name", tags: "Tags", visibility: "Who may read it", mark: "Marked as", markReason: "Why" },
    { visibility: (visibility) => wordsOf(visibility, parties).who, mark: markName },
  );

export function EditFileDialog({ file, theCase, onClose }: Props) {
  const parties = namesOfParties(theCase);
  const utils = api.useUtils();
  const update = api.files.update.useMutation();
  const user = useCurrentUser();
  const [isOurOwn, setIsOurOwn] = useState(file.isOurOwn);
  const mayWeaken = answersFor(user, theCase?.mediators ?? []);
  const form = useVersionedForm<FileValues>({
    fields: fieldsFor(parties),
    stored: recordOf(file),
    read: async () => recordOf(await utils.files.get.fetch({ id: file.id }, { staleTime: 0 })),
    async send({ tags, ...values }, version) {
      const list = tags.split(",").map((tag) => tag.trim());
      const own = isOurOwn ? {} : { isOurOwn };
      const saved = await update.mutateAsync({ ...values, ...own, id: file.id, version, tags: list.filter(Boolean) });
      await utils.files.invalidate();
      notify(`${values.name} is saved`);
      onClose();
      return recordOf(saved);
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={file.name} size="form">
      <VersionedForm form={form} what="file" label="File">
        <Stack gap="lg">
          <TextInput
            label="Name"
            maxLength={200}
            readOnly={file.consent !== null}
            description={file.consent === null ? undefined : RELEASED_AS_IT_IS}
            {...form.field("name")}
          />
          <TextInput label="Tags (optional)" description="Separated by commas" {...form.field("tags")} />
          <VisibilityPicker
            parties={parties}
            value={form.values.visibility}
            kept={file.visibility}
            onChange={(visibility) => form.setFieldValue("visibility", visibility)}
            mayHold={(wanted) => !form.values.mark.isFinancial || !theCase || mayHoldFinances(theCase, wanted)}
          />
          <MarkPicker
            label="Marked as"
            value={form.values.mark}
            onChange={(mark) => form.setFieldValue("mark", mark)}
            isSent={file.sentAt !== null}
            floor={mayWeaken ? undefined : file.mark}
            error={form.errors["mark"]}
          />
          {(isWeaker(form.values.mark.privilege, file.mark.privilege) || opensFinances(file, form.values.mark)) && (
            <TextInput
              label="Why may it be told to more people than before?"
              description="The practice reads this in the history of the case"
              maxLength={200}
              {...form.field("markReason")}
            />
          )}
          {file.isOurOwn && (
            <Checkbox
              label={OUR_OWN}
              description="Unticked, it is released only with the consent of whoever it is for."
              checked={isOurOwn}
              onChange={({ currentTarget }) => setIsOurOwn(currentTarget.checked)}
            />
          )}
          {form.errors["visibility"] && <FormFailure>{form.errors["visibility"]}</FormFailure>}
          <FormFoot isSaving={form.newer.isSaving}>Save</FormFoot>
        </Stack>
      </VersionedForm>
    </Dialog>
  );
}
