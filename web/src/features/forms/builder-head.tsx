import { ActionIcon, Button } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp, IconArrowLeft, IconEye, IconInbox, IconShare } from "@tabler/icons-react";
import { useState } from "react";
import { SavedState } from "../../core/saved-state.tsx";
import { Chip } from "../../ui/chip.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { later } from "../../ui/later.tsx";
import { useBuilderContext } from "./builder-context.ts";
import { newAnswersWords, useNewAnswers } from "./new-answers.ts";

const PreviewDialog = later(async () => (await import("./preview-dialog.tsx")).PreviewDialog);
const ShareFormDialog = later(async () => (await import("./share-form-dialog.tsx")).ShareFormDialog);
const PublishDialog = later(async () => (await import("./publish-dialog.tsx")).PublishDialog);

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

export function BuilderHead() {
  const { form, saved, isReadOnly } = useBuilderContext();
  const [open, setOpen] = useState<"preview" | "publish" | "share" | null>(null);
  const next = (form.publishedNumber ?? 0) + 1;
  const isLive = form.publishedNumber !== null && !form.isChanged && !saved.newer.isDirty;
  const close = () => setOpen(null);
  return (
    <header className="builder-head">
      <LinkButton
        to={form.kind === "lead" ? "/leads" : "/settings/forms"}
        variant="subtle"
        size="xs"
        px={6}
        aria-label={form.kind === "lead" ? "Back to leads" : "Back to forms"}
      >
        <IconArrowLeft {...icon} />
      </LinkButton>
      <h1 className="builder-name">{saved.draft.name || "Form without a name"}</h1>
      <Chip tone="outline">{isLive ? `Version ${form.publishedNumber}` : `Draft of version ${next}`}</Chip>
      <span className="builder-meta">{liveWords(form.publishedNumber, isLive)}</span>
      <SavedState saved={saved} closed={isReadOnly ? "Archived" : null} />
      <div className="builder-head-end">
        <ActionIcon variant="default" aria-label="Undo" disabled={!saved.canUndo} onClick={saved.undo}>
          <IconArrowBackUp {...icon} />
        </ActionIcon>
        <ActionIcon variant="default" aria-label="Redo" disabled={!saved.canRedo} onClick={saved.redo}>
          <IconArrowForwardUp {...icon} />
        </ActionIcon>
        <Button variant="default" leftSection={<IconEye {...icon} />} onClick={() => setOpen("preview")}>
          Preview
        </Button>
        {form.publishedNumber !== null && <AnswersButton formId={form.id} />}
        {form.publishedNumber !== null && !isReadOnly && (
          <Button variant="default" leftSection={<IconShare {...icon} />} onClick={() => setOpen("share")}>
            Share
          </Button>
        )}
        <Button disabled={isLive || isReadOnly} onClick={() => setOpen("publish")}>
          {isLive ? "Published" : `Publish version ${next}`}
        </Button>
      </div>
      {open === "preview" && <PreviewDialog onClose={close} />}
      {open === "share" && <ShareFormDialog formId={form.id} onClose={close} />}
      {open === "publish" && <PublishDialog onClose={close} />}
    </header>
  );
}

function AnswersButton({ formId }: { formId: string }) {
  const answers = useNewAnswers([formId]);
  if (!answers) return null;
  const fresh = newAnswersWords(answers.get(formId));
  return (
    <LinkButton
      to="/settings/forms"
      search={{ answers: formId }}
      variant="default"
      leftSection={<IconInbox {...icon} />}
    >
      {fresh ? `Answers (${fresh})` : "Answers"}
    </LinkButton>
  );
}

function liveWords(number: number | null, isLive: boolean): string {
  if (number === null) return "nobody can fill it in yet";
  return isLive ? "people fill in this version" : `version ${number} is live`;
}
