import { isRestricting } from "@app/shared/answer-proposals";
import type { Proposal, Submission } from "@app/shared/submissions";
import { Button, Group, TextInput } from "@mantine/core";
import { IconShield } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { Chip } from "../../ui/chip.tsx";
import { isFocusLost, takesFocus } from "../../ui/focus.ts";
import { useUnsaved } from "../../ui/unsaved.ts";

interface Props {
  submission: Submission;
  mayChange: boolean;
}

/** What the answers propose to change of the client, one by one; nothing is taken over by itself. */
export function ReviewList({ submission, mayChange }: Props) {
  const { calendarDay } = useFormats();
  const { proposals } = submission;
  const said = ({ target }: Proposal, text: string) =>
    target === "client.dateOfBirth" && DAY.test(text) ? calendarDay(text) : text;
  const list = useFocusKept(proposals.filter(({ decision }) => decision === "pending").length);
  return (
    <section ref={list}>
      <h3 className="submission-page" tabIndex={-1}>
        Proposed changes to the client
      </h3>
      <ul className="review">
        {[...proposals.filter(isRestricting), ...proposals.filter((one) => !isRestricting(one))].map((proposal) => (
          <li key={proposal.fieldId}>
            <div className="review-what">
              {isRestricting(proposal) && (
                <Chip tone="safety" icon={<IconShield size={14} stroke={1.7} aria-hidden />}>
                  Safe contact
                </Chip>
              )}
              <strong>{capital(proposal.targetName)}</strong>
              <span className="review-before">{said(proposal, proposal.before) || "Empty"}</span>
              <span aria-hidden>→</span>
              <span className="form-unseen">becomes</span>
              <span className="review-after">{said(proposal, proposal.after) || "Empty"}</span>
            </div>
            {proposal.decision === "pending" ? (
              mayChange && <Deciding submission={submission} proposal={proposal} />
            ) : (
              <Decided proposal={proposal} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The buttons of what was decided are gone: the keyboard goes on at what is left to decide, or at the heading. */
function useFocusKept(left: number) {
  const list = useRef<HTMLElement>(null);
  const before = useRef(left);
  useEffect(() => {
    if (left < before.current && isFocusLost())
      takesFocus(list.current?.querySelector("button") ?? list.current?.querySelector("h3"));
    before.current = left;
  }, [left]);
  return list;
}

/** As it is stored; what was typed otherwise stays so. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const DECIDED = { accepted: "Accepted", edited: "Accepted with changes", rejected: "Rejected" } as const;

function Decided({ proposal: { decision, byName, at } }: { proposal: Proposal }) {
  const formats = useFormats();
  if (decision === "pending") return null;
  return (
    <p className="quiet-text">
      {DECIDED[decision]} by {byName}
      {at && `, ${formats.dateTime(at)}`}
    </p>
  );
}

function Deciding({ submission, proposal }: { submission: Submission; proposal: Proposal }) {
  const [text, setText] = useState<string | null>(null);
  const { send, isPending, error } = useDeciding(submission, proposal.fieldId, text ?? "");
  useUnsaved((isGoingOn) => text !== null && text !== proposal.after && !(isGoingOn && isPending));
  const accept = text === null ? "Accept" : "Store this";
  return (
    <>
      {text !== null && (
        <TextInput
          aria-label={`${proposal.targetName}, as it is to be stored`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {error && (
        <p role="alert" className="review-failure">
          {messageOf(error)}
        </p>
      )}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          loading={isPending}
          aria-label={`${accept}: ${proposal.targetName}`}
          onClick={() => send(text === null ? "accepted" : "edited")}
        >
          {accept}
        </Button>
        {text === null && (
          <Button
            size="xs"
            variant="default"
            aria-label={`Edit: ${proposal.targetName}`}
            onClick={() => setText(proposal.after)}
          >
            Edit
          </Button>
        )}
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          disabled={isPending}
          aria-label={`Reject: ${proposal.targetName}`}
          onClick={() => send("rejected")}
        >
          Reject
        </Button>
      </Group>
    </>
  );
}

function useDeciding(submission: Submission, fieldId: string, edited: string) {
  const { id, version, clientVersion } = submission;
  const utils = api.useUtils();
  const [changeId, renew] = useNewId();
  const decide = api.submissions.decide.useMutation({
    onSuccess: async (changed) => {
      utils.submissions.get.setData({ id: changed.id }, changed);
      await Promise.all([utils.clients.invalidate(), utils.timeline.invalidate(), utils.submissions.invalidate()]);
    },
    onError: () => {
      renew();
      void utils.submissions.get.invalidate();
    },
  });
  const send = (decision: "accepted" | "edited" | "rejected") =>
    decide.mutate({
      id,
      changeId,
      version,
      clientVersion: clientVersion ?? 0,
      fieldId,
      decision,
      text: decision === "edited" ? edited : "",
    });
  return { send, isPending: decide.isPending, error: decide.error };
}
