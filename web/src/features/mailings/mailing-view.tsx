import { can } from "@app/shared/access";
import type { Mailing } from "@app/shared/mailings";
import { Button, Group, Progress } from "@mantine/core";
import { useState } from "react";
import { downloadOf } from "../../core/download.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";
import { MailingItems } from "./mailing-items.tsx";
import { MailingSender, useHasSender } from "./mailing-sender.tsx";
import { STATE_NAMES } from "./mailing-words.ts";
import { useMailing, useMailingSteps } from "./use-mailing.ts";
import "./mailings.css";

interface Props {
  id: string;
  page: number;
  onPage: (page: number) => void;
}

/** One mailing: how far it is, what became of whom, and what can be done about it. */
export function MailingView({ id, page, onPage }: Props) {
  const mailing = useMailing(id);
  const mayRead = can(useCurrentUser(), "clients.read");
  return (
    <Loaded query={mailing} failureTitle="The mailing could not be read">
      {(data) => (
        <>
          <Section
            title={data.subject}
            action={
              <TextLink to="/email-settings" search={{ tab: "mailings" }}>
                All mailings
              </TextLink>
            }
          >
            <Standing data={data} />
          </Section>
          {mayRead ? (
            <MailingItems mailing={data} page={page} onPage={onPage} />
          ) : (
            <p className="quiet-text">You may not see who gets it. Ask the owner of the practice.</p>
          )}
        </>
      )}
    </Loaded>
  );
}

function Standing({ data }: { data: Mailing }) {
  const formats = useFormats();
  const { sent, failed, skipped, uncertain, waiting, total, perhapsTwice } = data.counts;
  const done = total - waiting;
  const parts = [
    { count: sent, word: perhapsTwice > 0 ? `sent (${formats.number(perhapsTwice)} perhaps twice)` : "sent" },
    { count: failed, word: "not sent" },
    { count: uncertain, word: "may have arrived" },
    { count: skipped, word: "left out" },
    { count: waiting, word: "waiting" },
  ].filter(({ count }) => count > 0);
  return (
    <div className="mailing-standing">
      <div className="mailing-standing-head">
        <strong>{STATE_NAMES[data.state]}</strong>
        {data.state !== "ready" && (
          <span className="tabular">
            {formats.number(done)} of {formats.number(total)}
          </span>
        )}
      </div>
      {data.state !== "ready" && <Progress size={6} value={(done / total) * 100} aria-label="Mails sent" />}
      <p className="quiet-text" aria-live="polite">
        {parts.map(({ count, word }) => `${formats.number(count)} ${word}`).join(", ")}
        {data.state === "sending" && ". You can leave this page. It goes on."}
      </p>
      {data.reason && <FormFailure>{data.reason}</FormFailure>}
      {(data.state === "ready" || (data.state === "paused" && !data.reason)) && <MailingSender />}
      <Steps data={data} />
    </div>
  );
}

function Steps({ data }: { data: Mailing }) {
  const steps = useMailingSteps(data.id);
  const hasSender = useHasSender();
  const [isAsking, setIsAsking] = useState(false);
  const { state, counts } = data;
  const user = useCurrentUser();
  const mayExport = can(user, "clients.read") && can(user, "data.export");
  const people = counts.waiting === 1 ? "1 person" : `${counts.waiting} people`;
  return (
    <Group gap="xs">
      {state === "ready" && (
        <Button loading={steps.isBusy} disabled={counts.waiting === 0 || !hasSender} onClick={() => void steps.start()}>
          Send to {people}
        </Button>
      )}
      {state === "sending" && (
        <Button variant="default" loading={steps.isBusy} onClick={() => void steps.pause()}>
          Pause
        </Button>
      )}
      {state === "paused" && (
        <Button loading={steps.isBusy} disabled={!hasSender} onClick={() => void steps.start()}>
          Go on
        </Button>
      )}
      {state === "done" && counts.failed > 0 && (
        <Button loading={steps.isBusy} onClick={() => void steps.start()}>
          Try the failed ones again
        </Button>
      )}
      {(state === "ready" || state === "sending" || state === "paused") && (
        <Button variant="default" onClick={() => setIsAsking(true)}>
          Cancel this mailing
        </Button>
      )}
      {mayExport && data.state !== "ready" && counts.total > counts.sent + counts.waiting && (
        <Button {...downloadOf(`/export/mailings/${data.id}.csv`)} variant="default">
          Download who did not get it
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title="Cancel this mailing?"
        confirmLabel="Cancel the mailing"
        isBusy={steps.isBusy}
        onConfirm={() => void steps.cancel().then(() => setIsAsking(false))}
        onClose={() => setIsAsking(false)}
      >
        {counts.sent > 0 && `${counts.sent} were sent and stay sent. `}Nobody else gets it. This cannot be undone; a new
        mailing can be made for those who are left.
      </ConfirmDialog>
    </Group>
  );
}
