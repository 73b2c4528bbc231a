import type { Case } from "@app/shared/cases";
import { whyNotHeld } from "@app/shared/confidences";
import { releasersOf, sharersOf } from "@app/shared/file-releases";
import type { StoredFile } from "@app/shared/files";
import type { Consent } from "@app/shared/notes";
import { forParty, SHARED, type Visibility } from "@app/shared/visibility";
import { Button, Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { type NamedParty, wordsOf } from "../visibility/visibility-words.ts";
import { ConsentFields, namesOf, useConsents } from "../notes/consent-fields.tsx";
import { firstNameOf, namesOfParties } from "../notes/note-words.ts";

interface Props {
  file: StoredFile;
  theCase: Case | null;
  onClose: () => void;
}

/** Shows a file to parties as a new one beside it. What is in a party's confidence needs their recorded consent. */
export function ReleaseFileDialog({ file, theCase, onClose }: Props) {
  const parties = namesOfParties(theCase);
  const mayShow = (readers: Visibility) => !theCase || whyNotHeld(theCase, readers, file.mark.isFinancial) === null;
  const sharers = parties.filter(({ partyId }) => sharersOf(theCase, file).includes(partyId));
  const confidants = parties.filter(({ partyId }) => releasersOf(theCase, file).includes(partyId));
  const isConsented = confidants.length > 0 || sharers.length > 0;
  const [agreedId, setAgreedId] = useState("");
  const granters = sharers.length > 0 ? sharers.filter(({ partyId }) => partyId === agreedId) : confidants;
  const consents = useConsents(granters, file.changedAt);
  const [readers, setReaders] = useState<Visibility | null>(isConsented ? SHARED : null);
  const { release, isPending, failure } = useRelease(file, onClose);

  const footer = (
    <>
      <BackButton />
      <Button
        disabled={!readers || (isConsented && !consents.isComplete)}
        loading={isPending}
        onClick={() => readers && void release(readers, consents.take())}
      >
        {isConsented ? "Share with all parties" : "Share"}
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isConsented ? `Release ${file.name}` : `Share ${file.name}`}
      size="form"
      footer={footer}
      isDirty={consents.isDirty}
    >
      {failure && <FormFailure>{failure}</FormFailure>}
      {sharers.length > 0 && <WhoAgreed sharers={sharers} value={agreedId} onChange={setAgreedId} />}
      {confidants.length > 0 && (
        <p className="quiet-text">
          A copy is shared with all parties. The file that {namesOf(confidants)} gave in confidence stays in confidence.
        </p>
      )}
      <ConsentFields consents={consents} what="this file is" />
      {!isConsented && <ReaderChoice parties={parties} mayShow={mayShow} value={readers} onChange={setReaders} />}
    </Dialog>
  );
}

function useRelease(file: StoredFile, onDone: () => void) {
  const utils = api.useUtils();
  const { mutateAsync, isPending } = api.files.release.useMutation({
    onSettled: () => Promise.all([utils.files.invalidate(), utils.timeline.invalidate()]),
  });
  const [newId] = useNewId();
  const [failure, setFailure] = useState("");
  async function release(readers: Visibility, consent: Consent | null) {
    try {
      await mutateAsync({ id: file.id, newId, readers, consent });
      notify(`${file.name} is shared. The file it comes from stays as it was.`);
      onDone();
    } catch (error) {
      setFailure(messageOf(error));
    }
  }
  return { release, isPending, failure };
}

interface WhoAgreedProps {
  sharers: readonly NamedParty[];
  value: string;
  onChange: (partyId: string) => void;
}

/** Of what was shared before others joined; nobody is chosen for you. */
function WhoAgreed({ sharers, value, onChange }: WhoAgreedProps) {
  return (
    <Radio.Group
      label="Who agreed"
      description="A copy is shared with all parties, including anybody who joined since. One of the people who have it has to agree."
      value={value}
      onChange={onChange}
    >
      <Stack gap="sm" mt="xs">
        {sharers.map((party) => (
          <Radio key={party.partyId} value={party.partyId} label={firstNameOf(party)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

interface ChoiceProps {
  parties: readonly NamedParty[];
  mayShow: (readers: Visibility) => boolean;
  value: Visibility | null;
  onChange: (value: Visibility) => void;
}

/** Who is to read it; nobody is chosen for you. */
function ReaderChoice({ parties, mayShow, value, onChange }: ChoiceProps) {
  const choices = [SHARED, ...parties.map(({ partyId }) => forParty(partyId)).filter(mayShow)];
  const key = (visibility: Visibility | null) => JSON.stringify(visibility);
  return (
    <Radio.Group
      label="A copy can be read by"
      description="The file itself stays as it is"
      value={key(value)}
      onChange={(chosen) => {
        const found = choices.find((choice) => key(choice) === chosen);
        if (found) onChange(found);
      }}
    >
      <Stack gap="sm" mt="xs">
        {choices.map((choice) => {
          const { who, meaning } = wordsOf(choice, parties);
          return <Radio key={key(choice)} value={key(choice)} label={who} description={meaning} />;
        })}
      </Stack>
    </Radio.Group>
  );
}
