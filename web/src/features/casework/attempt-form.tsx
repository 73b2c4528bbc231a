import type { Case, Party } from "@app/shared/cases";
import {
  ATTEMPT_REASON_MAX_LENGTH,
  BY_CHANNEL,
  CALL_NAMES,
  CALLS,
  INVITE_CHANNELS,
  type InviteChannel,
  type Rung,
} from "@app/shared/ladders";
import { Button, Group, NativeSelect, Radio, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { useToday } from "../../core/today.ts";
import { FormFoot } from "../../ui/form-foot.tsx";
import { CHANNEL_NAMES, optionsOf, pick } from "../cases/case-words.ts";
import { UnmetReasonField } from "../sessions/unmet-reason-field.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { earliestDay } from "./earliest-day.ts";
import { isUnsafeWay, type Ways } from "./invitation-words.ts";
import { useCaseChanged } from "./use-case-changes.ts";

interface Values {
  channel: InviteChannel;
  on: string;
  wording: string;
  call: (typeof CALLS)[number] | "";
  insteadBecause: string;
  againstBecause: string;
  unmetReason: string;
}

interface Props {
  theCase: Case;
  party: Party;
  /** The one that this attempt takes. */
  rung: Rung | null;
  ways: Ways | null;
  /** What its template says of an attempt that is made on this day. */
  wordsOf: (rung: Rung, on: string) => Promise<string>;
  onBack: () => void;
}

const isOther = (rung: Rung | null, channel: InviteChannel): boolean => rung !== null && rung.channel !== channel;

function useAttempt({ theCase, party, rung, ways, onBack }: Props, today: string) {
  const changed = useCaseChanged();
  const invite = api.casework.inviteParty.useMutation();
  return useOpenedForm<Case, Values>({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: {
      channel: rung?.channel ?? INVITE_CHANNELS.find((channel) => !isUnsafeWay(ways, channel)) ?? "post",
      on: today,
      wording: "",
      call: "",
      insteadBecause: "",
      againstBecause: "",
      unmetReason: "",
    },
    validate: ({ channel, call, wording, againstBecause }): Record<string, string> => ({
      ...(channel === "phone" && call === "" ? { call: "Choose whether they were reached" } : {}),
      ...(isUnsafeWay(ways, channel, call) && againstBecause.trim() === "" ? { againstBecause: "Say why" } : {}),
      ...(wording.trim() === "" ? { wording: "Write what was said or sent" } : {}),
    }),
    submit: async ({ call, insteadBecause, againstBecause, ...values }, { id, version }, changeId) => {
      const said = {
        call: values.channel === "phone" ? call : "",
        insteadBecause: isOther(rung, values.channel) ? insteadBecause : "",
        againstBecause: isUnsafeWay(ways, values.channel, call) ? againstBecause : "",
      } as const;
      await invite.mutateAsync({ ...values, ...said, changeId, id, version, partyId: party.partyId });
      await changed();
      notify(`Invitation of ${party.label} recorded`);
      onBack();
    },
  });
}

type Form = ReturnType<typeof useAttempt>;

/** Notes an attempt that was made elsewhere: a call, a letter, a mail from another program. */
export function AttemptForm(props: Props) {
  const { party, rung, ways, wordsOf, onBack } = props;
  const today = useToday();
  const [script, setScript] = useState("");
  const form = useAttempt(props, today);
  const isCall = form.values.channel === "phone";
  const begin = async () => {
    const words = rung && (await wordsOf(rung, form.values.on));
    if (words && isCall) setScript(words);
    else if (words) form.setFieldValue("wording", words);
    else notify("There is no template for this step. Choose one on the Practice tab of your account");
  };
  return (
    <OpenedForm form={form} what="case" label="Record an invitation">
      <Stack gap="md">
        <MadeFields {...props} form={form} today={today} />
        {isCall && <CallField form={form} />}
        {isUnsafeWay(ways, form.values.channel, form.values.call) && (
          <TextInput
            label={`This is not marked as a safe way to reach ${party.name}. Why was it used?`}
            description={`${ways?.words ?? ""} The mediator is asked to look whether somebody is in danger.`}
            maxLength={ATTEMPT_REASON_MAX_LENGTH}
            {...form.field("againstBecause")}
          />
        )}
        {rung && isOther(rung, form.values.channel) && (
          <TextInput
            label={`Why not ${BY_CHANNEL[rung.channel]}?`}
            description="With a reason it counts as the next step of the ladder. Without one that step stays to be tried."
            maxLength={ATTEMPT_REASON_MAX_LENGTH}
            {...form.field("insteadBecause")}
          />
        )}
        {script && <p className="attempt-words">{script}</p>}
        <Textarea
          label="What was said or sent"
          description={`Kept by the practice. ${party.name} sees only that and when they were invited.`}
          autosize
          minRows={3}
          maxRows={12}
          {...form.field("wording")}
        />
        <UnmetReasonField
          label="Why were they invited all the same?"
          value={form.values.unmetReason}
          error={form.errors["unmetReason"]}
          onChange={(reason) => form.setFieldValue("unmetReason", reason)}
        />
        <Group justify="flex-start">
          <Button size="xs" variant="subtle" onClick={() => void begin()}>
            {isCall ? "Show what to say" : "Begin with the template"}
          </Button>
        </Group>
        <FormFoot isSaving={form.isSaving} onBack={onBack}>
          Record this invitation
        </FormFoot>
      </Stack>
    </OpenedForm>
  );
}

/** How and when it was made. */
function MadeFields({ theCase, party, form, today }: Pick<Props, "theCase" | "party"> & { form: Form; today: string }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <NativeSelect
        label="By"
        data={optionsOf(CHANNEL_NAMES)}
        value={form.values.channel}
        onChange={(event) => form.setFieldValue("channel", pick(CHANNEL_NAMES, event.currentTarget.value))}
      />
      <TextInput
        label="Invited on"
        type="date"
        min={earliestDay(theCase, party, [], "invited")}
        max={today}
        {...form.field("on")}
      />
    </SimpleGrid>
  );
}

const CallField = ({ form }: { form: Form }) => (
  <Radio.Group
    label="Were they reached?"
    description="A call that reached nobody is kept, but invites nobody. Once nobody picked up on two days, the step counts as tried."
    value={form.values.call}
    error={form.errors["call"]}
    onChange={(value) => form.setFieldValue("call", CALLS.find((call) => call === value) ?? "")}
  >
    <Stack gap="xs" pt="xs">
      {CALLS.map((call) => (
        <Radio key={call} value={call} label={CALL_NAMES[call]} />
      ))}
    </Stack>
  </Radio.Group>
);
