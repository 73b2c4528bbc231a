import { formChanges } from "@app/shared/form-changes";
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconUsers } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify } from "../../core/notify.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { Panel } from "../../ui/panel.tsx";
import { PeopleFillingIn } from "./people-filling-in.tsx";
import { type Builder, useBuilderContext } from "./builder-context.ts";

const warning = <IconAlertTriangle size={18} stroke={1.7} aria-hidden />;

/** What people will fill in from now on: what changed, and what becomes of whoever has begun. */
export function PublishDialog({ onClose }: { onClose: () => void }) {
  const { form, content, problems, saved } = useBuilderContext();
  const number = form.publishedNumber;
  const next = (number ?? 0) + 1;
  const isStored = !saved.newer.isDirty && !saved.newer.isSaving;
  const { publish, isBusy, failure } = usePublish(next, onClose);
  const footer = (
    <>
      <BackButton />
      <Button disabled={problems.length > 0 || !isStored} loading={isBusy} onClick={() => void publish()}>
        Publish version {next}
      </Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title={`Publish version ${next}`} size="form" footer={footer}>
      {problems.length > 0 && <Problems problems={problems} />}
      {saved.mustChoose && <ChooseFirst onChoose={() => void saved.save()} onClose={onClose} />}
      {failure && (
        <Panel tone="danger" icon={warning} title="It was not published.">
          {failure}
        </Panel>
      )}
      <Panel icon={<IconUsers size={18} stroke={1.7} aria-hidden />} title={peopleTitle(number)}>
        {number === null
          ? "Nobody has filled in this form before. Links to it work from the moment it is published."
          : `Whoever is filling in version ${number} goes on with it, and their answers keep its questions. Everybody who begins after that gets version ${next}.`}
        <PeopleFillingIn form={form} />
      </Panel>
      {form.publishedContent && !saved.mustChoose && (
        <Changes changes={formChanges(form.publishedContent, content)} number={number ?? 0} />
      )}
      {!isStored && !saved.mustChoose && (
        <p role="status">{saved.failure ? `The draft is not saved: ${saved.failure}` : "Saving the draft"}</p>
      )}
    </Dialog>
  );
}

const ChooseFirst = ({ onChoose, onClose }: { onChoose: () => void; onClose: () => void }) => (
  <Panel
    tone="danger"
    icon={warning}
    title="Your draft is not saved: it was changed elsewhere."
    action={
      <Button
        variant="default"
        onClick={() => {
          onClose();
          onChoose();
        }}
      >
        Choose
      </Button>
    }
  >
    Choose first what is to stand, then publish.
  </Panel>
);

const peopleTitle = (number: number | null): string =>
  number === null ? "This is the first version." : `Version ${number} stays as it is.`;

function Changes({ changes, number }: { changes: ReturnType<typeof formChanges>; number: number }) {
  if (changes.length === 0) return <p>People see the same as in version {number}.</p>;
  return (
    <>
      <h3 className="publish-title">Changed since version {number}</h3>
      <ul className="publish-list">
        {changes.map(({ name, what }) => (
          <li key={`${name} ${what.join()}`}>
            <strong>{name}</strong>: {what.join(", ")}
          </li>
        ))}
      </ul>
    </>
  );
}

const Problems = ({ problems }: Pick<Builder, "problems">) => (
  <Panel tone="danger" icon={warning} title="Mend this first, then publish.">
    <ul className="publish-list">
      {problems.map(({ text, fieldId, pageId }) => (
        <li key={`${fieldId ?? pageId ?? ""} ${text}`}>{text}</li>
      ))}
    </ul>
  </Panel>
);

/** Publishes what is stored as the version with this number. */
function usePublish(number: number, onPublished: () => void) {
  const { form, saved } = useBuilderContext();
  const [changeId] = useNewId();
  const [failure, setFailure] = useState<string | null>(null);
  const utils = api.useUtils();
  const publishing = api.forms.publish.useMutation();

  async function publish() {
    setFailure(null);
    try {
      const published = await publishing.mutateAsync({ id: form.id, version: saved.newer.version, changeId });
      utils.forms.get.setData({ id: form.id }, published);
      void utils.forms.list.invalidate();
      notify(`Version ${number} is published`);
      onPublished();
    } catch (error) {
      setFailure(messageOf(error));
    }
  }
  return { publish, isBusy: publishing.isPending, failure };
}
