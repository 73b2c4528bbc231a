import { can } from "@app/shared/access";
import type { Party } from "@app/shared/cases";
import { isConcern, SAFETY_NOTE_MAX_LENGTH } from "@app/shared/safety-reviews";
import type { Session } from "@app/shared/sessions";
import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { IconShield } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { api } from "../../core/api.ts";
import { makeId } from "../../core/new-id.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useToday } from "../../core/today.ts";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { Panel } from "../../ui/panel.tsx";
import { OpenedEntry } from "../safeguarding/opened-entry.tsx";
import { partyOf, useCockpit } from "./cockpit-context.ts";

const YES_NO = { yes: "Yes", no: "No" } as const;
const NOTHING_SAID = { hasChanged: "", isSafe: "", doMeasuresFit: "" };

/** Before a joint session each party is asked alone whether it is still safe; without that it cannot be locked. */
export function SafetyDialog({ onClose: close }: { onClose: () => void }) {
  const { session, theCase } = useCockpit();
  const [partyId, setPartyId] = useState("");
  // What is begun of one stays while somebody looks at another.
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const user = useCurrentUser();
  const [concernOf, setConcernOf] = useState<Party | null>(null);
  const [isWriting, setIsWriting] = useState(false);
  const party = partyOf(theCase, partyId);
  const reviewed = new Set(session.safetyReviews?.map((review) => review.partyId));
  // Several may be saved at once, each of which was begun when the others were not reviewed yet.
  const savedHere = useRef(new Set<string>());
  const names = Object.fromEntries(
    theCase.parties
      // Who came to a locked one may be recorded wrong.
      .filter((each) => session.status === "locked" || session.partyIds.includes(each.partyId))
      .map(({ partyId: id, name, label }) => [id, `${name} (${label})${reviewed.has(id) ? ", reviewed" : ""}`]),
  );
  function onSaved(saved: Party, isOfConcern: boolean) {
    // Whoever went on to the next one while it was saved goes on there.
    setPartyId((now) => (now === saved.partyId ? "" : now));
    setDrafts(({ [saved.partyId]: _saved, ...others }) => others);
    savedHere.current.add(saved.partyId);
    if (isOfConcern) {
      setConcernOf(saved);
      setIsWriting(can(user, "safeguarding.read"));
    } else if (Object.keys(names).every((id) => savedHere.current.has(id) || reviewed.has(id))) close();
  }
  return (
    <>
      <Dialog isOpen onClose={close} title="Safety review" size="form" isDirty={Object.keys(drafts).length > 0}>
        <Stack gap="md">
          {concernOf && <Concern party={concernOf} />}
          {!concernOf && <WhoIsAsked session={session} names={names} value={partyId} onChange={setPartyId} />}
          {party && (
            <ReviewFields
              key={partyId}
              party={party}
              draft={drafts[partyId]}
              onChange={(draft) => setDrafts((before) => ({ ...before, [partyId]: draft }))}
              onSaved={onSaved}
            />
          )}
        </Stack>
      </Dialog>
      {isWriting && concernOf && (
        <OpenedEntry
          caseId={theCase.id}
          partyId={concernOf.partyId}
          sessionId={session.id}
          onClose={() => setIsWriting(false)}
        />
      )}
    </>
  );
}

interface WhoIsAskedProps {
  session: Session;
  names: Record<string, string>;
  value: string;
  onChange: (partyId: string) => void;
}

const WhoIsAsked = ({ session, names, value, onChange }: WhoIsAskedProps) => (
  <>
    <p className="cockpit-hint">
      Ask each of them alone, before they meet. No party reads this.
      {session.startedAt !== null &&
        session.status !== "locked" &&
        " The session has begun: say of each whether they were asked before. Where somebody was not, you say why when you lock it."}
    </p>
    <ChoiceField label="Who" choices={names} value={value} error={undefined} onChange={onChange} isTall />
  </>
);

interface Draft {
  said: typeof NOTHING_SAID;
  note: string;
  later: Later;
}
const NOTHING: Draft = { said: NOTHING_SAID, note: "", later: { before: "", heldOn: "" } };

interface FieldsProps {
  party: Party;
  draft: Draft | undefined;
  onChange: (draft: Draft) => void;
  onSaved: (party: Party, isOfConcern: boolean) => void;
}

function ReviewFields({ party, draft = NOTHING, onChange, onSaved }: FieldsProps) {
  const { change, session } = useCockpit();
  const utils = api.useUtils();
  const [changeId] = useState(makeId);
  const { said, note, later } = draft;
  const set = (part: Partial<Draft>) => onChange({ ...draft, ...part });
  const say = (key: keyof typeof NOTHING_SAID) => (answer: string) => set({ said: { ...said, [key]: answer } });
  const review = {
    hasChanged: said.hasChanged === "yes",
    isSafe: said.isSafe === "yes",
    doMeasuresFit: said.doMeasuresFit === "yes",
  };
  const isAnswered = Object.values(said).every((answer) => answer !== "");
  const isOfConcern = isAnswered && isConcern(review);
  const hasBegun = session.startedAt !== null;
  const isUntold = hasBegun && later.before === "";
  const needsWords = isAnswered && (review.hasChanged || isOfConcern);
  async function save() {
    const asked = { wasAskedBefore: hasBegun ? later.before === "yes" : null, heldOn: later.heldOn };
    const input = { ...review, ...asked, partyId: party.partyId, note: note.trim() };
    const isTaken = await change({
      changeId,
      call: (sessions, id) => sessions.reviewSafety.mutate({ ...id, ...input }),
    });
    if (!isTaken) return;
    onSaved(party, isOfConcern);
    await Promise.all([utils.casework.invalidate(), utils.tasks.invalidate()]);
  }
  const field = (key: keyof typeof NOTHING_SAID, label: string) => (
    <ChoiceField label={label} choices={YES_NO} value={said[key]} error={undefined} onChange={say(key)} />
  );
  return (
    <>
      {hasBegun && <LaterFields name={party.name} said={later} onChange={(next) => set({ later: next })} />}
      {field("hasChanged", `Has anything changed for ${party.name} since the screening?`)}
      {field("isSafe", "Is it still safe to mediate?")}
      {field("doMeasuresFit", "Are the measures still right, or still not needed?")}
      <Textarea
        label={needsWords ? "What changed, or what is the concern?" : "Note (optional)"}
        autosize
        minRows={3}
        maxLength={SAFETY_NOTE_MAX_LENGTH}
        value={note}
        onChange={(event) => set({ note: event.currentTarget.value })}
      />
      <Group justify="flex-end">
        <BackButton />
        <Button disabled={!isAnswered || (needsWords && note.trim() === "") || isUntold} onClick={() => void save()}>
          Save the review of {party.label}
        </Button>
      </Group>
    </>
  );
}

type Later = Record<"before" | "heldOn", string>;

interface LaterProps {
  name: string;
  said: Later;
  onChange: (said: Later) => void;
}

/** Of a session that has begun: most were asked before it, and it is written up afterwards. */
function LaterFields({ name, said, onChange }: LaterProps) {
  const today = useToday();
  return (
    <>
      <ChoiceField
        label={`Was ${name} asked before the session began?`}
        choices={YES_NO}
        value={said.before}
        error={undefined}
        onChange={(before) => onChange({ before, heldOn: "" })}
      />
      {said.before !== "" && (
        <TextInput
          label={
            said.before === "yes"
              ? "Asked on (if not on the day of the session)"
              : "Asked on (if this was before today)"
          }
          type="date"
          max={today}
          maw={320}
          value={said.heldOn}
          onChange={(event) => onChange({ ...said, heldOn: event.currentTarget.value })}
        />
      )}
    </>
  );
}

/** What a concern asks for beside the entry that it opened: the parties do not meet without a new screening. */
function Concern({ party }: { party: Party }) {
  const { theCase } = useCockpit();
  return (
    <Panel
      tone="safety"
      icon={<IconShield size={18} stroke={1.7} aria-hidden />}
      title={`The concern is kept. Screen ${party.name} again before they meet`}
      action={
        <LinkButton
          to="/clients/view/$id"
          params={{ id: party.clientId }}
          search={{ tab: "case", case: theCase.id }}
          variant="default"
        >
          Open the case
        </LinkButton>
      }
    >
      The mediators of this case are asked to look at it, and the session cannot be locked before. Until then no joint
      meeting is booked and no joint session starts. Think of ending this one. Significant harm to a child or an adult
      overrides confidentiality.
    </Panel>
  );
}
