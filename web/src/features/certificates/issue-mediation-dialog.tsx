import type { Case, Party } from "@app/shared/cases";
import type { MediationChoices } from "@app/shared/certificates";
import { Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { LinkButton } from "../../ui/links.tsx";
import {
  Blocked,
  LateConfirm,
  ReplacedField,
  OwnWordsConfirm,
  whyLate,
  whyReplaced,
  whyUnread,
} from "./signing-fields.tsx";

interface Props {
  theCase: Pick<Case, "id" | "mediators">;
  /** Whoever took part. */
  party: Pick<Party, "partyId" | "clientId" | "name">;
  onClose: () => void;
}

/** What may be certified of the sessions at which somebody mediated. */
export function IssueMediationDialog(props: Props) {
  const { theCase, party, onClose } = props;
  const whose = { caseId: theCase.id, partyId: party.partyId };
  const choices = api.certificates.mediationChoices.useQuery(whose, { staleTime: 0 });
  return (
    <Dialog isOpen onClose={onClose} title={`Certify mediation to ${party.name}`} size="form">
      <Loaded query={choices} failureTitle="What can be certified could not be read">
        {(data) => <MediationForm choices={data} {...props} />}
      </Loaded>
    </Dialog>
  );
}

function MediationForm({ choices, ...props }: Props & { choices: MediationChoices }) {
  const { theCase, party, onClose } = props;
  const formats = useFormats();
  const utils = api.useUtils();
  const issue = api.certificates.issueMediation.useMutation();
  const { sentence, firstOn, lastOn, expiresOn, late, blockers, replaces, ownWords } = choices;
  const form = useServerForm({
    initialValues: { isLateConfirmed: false, hasReadWords: false, replaceReason: "" },
    validate: ({ isLateConfirmed, hasReadWords, replaceReason }) => ({
      ...whyUnread(ownWords, hasReadWords),
      ...whyReplaced(replaces, replaceReason),
      ...whyLate(late !== "", isLateConfirmed),
    }),
    submit: async (values, id) => {
      const { number } = await issue.mutateAsync({ id, caseId: theCase.id, partyId: party.partyId, ...values });
      await Promise.all([utils.certificates.invalidate(), utils.partyView.invalidate(), utils.timeline.invalidate()]);
      notify(`Certificate ${number} issued`);
      onClose();
    },
  });
  if (blockers.length > 0)
    return (
      <Blocked blockers={blockers}>
        <WayOn {...props} />
      </Blocked>
    );
  return (
    <Form form={form} label="Certificate of mediation">
      <Stack gap="lg">
        <span>{sentence}</span>
        <Facts
          labelWidth={116}
          facts={[
            { label: "First session", value: formats.calendarDay(firstOn) },
            { label: "Last session", value: formats.calendarDay(lastOn) },
            { label: "Last day", value: `${formats.calendarDay(expiresOn)}, counted from the last session` },
          ]}
        />
        {late && (
          <LateConfirm
            words={late}
            isConfirmed={form.values.isLateConfirmed}
            error={form.errors["isLateConfirmed"]}
            onChange={(isSeen) => form.setFieldValue("isLateConfirmed", isSeen)}
          />
        )}
        <OwnWordsConfirm
          words={ownWords}
          isRead={form.values.hasReadWords}
          error={form.errors["hasReadWords"]}
          onChange={(isRead) => form.setFieldValue("hasReadWords", isRead)}
        />
        <ReplacedField replaces={replaces} {...form.field("replaceReason")} />
        <FormFoot isSaving={form.isSaving} isSticky>
          Issue certificate
        </FormFoot>
      </Stack>
    </Form>
  );
}

/** What is missing is in the sessions; for whoever is not its mediator, it is in the case. */
function WayOn({ theCase, party, onClose }: Props) {
  const { userId } = useCurrentUser();
  const isMediator = theCase.mediators.some((mediator) => mediator.userId === userId);
  return (
    <LinkButton
      to="/clients/view/$id"
      params={{ id: party.clientId }}
      search={{ tab: isMediator ? "meetings" : "case", case: theCase.id }}
      onClick={onClose}
    >
      {isMediator ? "Open the sessions" : "Open the case"}
    </LinkButton>
  );
}
