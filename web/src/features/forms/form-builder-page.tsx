import type { Form } from "@app/shared/forms";
import { Button } from "@mantine/core";
import { IconArchive, IconForms } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { codeOf, messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notifyError } from "../../core/notify.ts";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { NewerVersionNotice } from "../../ui/newer-version-notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Panel } from "../../ui/panel.tsx";
import { AddQuestionDialog } from "./add-question-dialog.tsx";
import { BuilderCanvas } from "./builder-canvas.tsx";
import { BuilderContext, useBuilder } from "./builder-context.ts";
import { BuilderHead } from "./builder-head.tsx";
import { BuilderInspector } from "./builder-inspector.tsx";
import { BuilderPages } from "./builder-pages.tsx";
import { BuilderPalette } from "./builder-palette.tsx";
import { PaneChoice } from "./pane-choice.tsx";
import { useBuilderKeys } from "./use-builder-keys.ts";
import "./builder.css";
import "./builder-parts.css";

export function FormBuilderPage({ formId }: { formId: string }) {
  const query = api.forms.get.useQuery({ id: formId });
  useTitle(query.data?.name ?? "Form builder");
  if (codeOf(query.error) === "NOT_FOUND" || codeOf(query.error) === "BAD_REQUEST") return <NoForm />;
  return (
    <Loaded query={query} failureTitle="This form could not be read">
      {(form) => <OpenBuilder key={form.id} form={form} />}
    </Loaded>
  );
}

function OpenBuilder({ form }: { form: Form }) {
  const formats = useFormats();
  const builder = useBuilder(form);
  const { saved, isPhone, pane, isAdding } = builder;
  const { savedBy } = saved.newer;
  useBuilderKeys(builder);
  return (
    <BuilderContext value={builder}>
      <div className="builder" data-pane={isPhone ? pane : undefined}>
        <BuilderHead />
        <div className="builder-notices">
          {builder.isReadOnly && <ArchivedPanel form={form} />}
          <NewerVersionNotice
            newer={saved.newer}
            what="form"
            theirs={savedBy && { name: savedBy.name, savedAt: formats.time(savedBy.at) }}
            onFailure={saved.setFailure}
          />
        </div>
        {isPhone && <PaneChoice />}
        {!isPhone && <BuilderPalette />}
        {(!isPhone || pane === "pages") && <BuilderPages />}
        {(!isPhone || pane === "questions") && <BuilderCanvas />}
        {(!isPhone || pane === "settings") && <BuilderInspector />}
      </div>
      {isAdding && <AddQuestionDialog />}
    </BuilderContext>
  );
}

function ArchivedPanel({ form }: { form: Form }) {
  const utils = api.useUtils();
  const moving = api.forms.setStatus.useMutation({
    onSuccess: () => utils.forms.invalidate(),
    onError: (error) => notifyError(messageOf(error)),
  });
  return (
    <Panel
      icon={<IconArchive size={18} stroke={1.7} aria-hidden />}
      title="This form is archived."
      action={
        <Button
          size="xs"
          variant="default"
          loading={moving.isPending}
          onClick={() => moving.mutate({ id: form.id, isArchived: false })}
        >
          Bring back
        </Button>
      }
    >
      Nobody can begin it, and changes are not saved until it is brought back.
    </Panel>
  );
}

function NoForm() {
  return (
    <div className="builder-missing">
      <PageHead title="Form builder" />
      <EmptyState
        icon={<IconForms size={24} stroke={1.7} />}
        title="This questionnaire is not here"
        actions={<LinkButton to="/settings/forms">Open forms</LinkButton>}
      >
        <p>The builder opens on a questionnaire of your practice. There is none at this address.</p>
      </EmptyState>
    </div>
  );
}
