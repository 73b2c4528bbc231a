import { FORM_END, type FormPage } from "@app/shared/form-content";
import { JUMPS_MAX } from "@app/shared/form-limits";
import { pageName } from "@app/shared/form-words";
import { Button, NativeSelect } from "@mantine/core";
import { useBuilderContext } from "./builder-context.ts";
import { ConditionFields } from "./condition-fields.tsx";
import { newCondition, readableBefore } from "./readable.ts";
import { changePage } from "./page-edits.ts";

type Jump = FormPage["jumps"][number];

/** When a page is shown, and where people go after it. */
export function PageRules({ page }: { page: FormPage }) {
  const { content, edit } = useBuilderContext();
  const before = readableBefore(content, { pageId: page.id, fieldId: null });
  const change = (part: Partial<FormPage>) => edit((form) => changePage(form, page.id, (one) => ({ ...one, ...part })));
  return (
    <>
      {page.visibleIf ? (
        <ConditionFields
          title="Show this page only when"
          condition={page.visibleIf}
          readable={before}
          onChange={(visibleIf) => change({ visibleIf })}
        />
      ) : (
        <Button
          size="xs"
          variant="default"
          disabled={before.length === 0}
          onClick={() => change({ visibleIf: newCondition(before) })}
        >
          Show this page only sometimes
        </Button>
      )}
      <Jumps page={page} onChange={(jumps) => change({ jumps })} />
    </>
  );
}

interface JumpsProps {
  page: FormPage;
  onChange: (jumps: Jump[]) => void;
}

function Jumps({ page, onChange }: JumpsProps) {
  const { content } = useBuilderContext();
  const readable = readableBefore(content, { pageId: page.id, fieldId: null, isAfterPage: true });
  const later = content.pages.slice(content.pages.indexOf(page) + 1);
  const targets = [
    ...later.map((one) => ({ value: one.id, label: pageName(content.pages, one) })),
    { value: FORM_END, label: "The end of the form" },
  ];
  return (
    <>
      {page.jumps.map((jump, index) => (
        <JumpRule
          // Jumps have no names, and are looked at in their order.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          jump={jump}
          targets={targets}
          readable={readable}
          onChange={(part) => onChange(page.jumps.with(index, { ...jump, ...part }))}
          onRemove={() => onChange(page.jumps.toSpliced(index, 1))}
        />
      ))}
      {page.jumps.length < JUMPS_MAX && (
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            onChange([...page.jumps, { when: readable.length > 0 ? newCondition(readable) : null, to: FORM_END }])
          }
        >
          Add a jump
        </Button>
      )}
    </>
  );
}

interface JumpRuleProps {
  jump: Jump;
  targets: { value: string; label: string }[];
  readable: ReturnType<typeof readableBefore>;
  onChange: (part: Partial<Jump>) => void;
  onRemove: () => void;
}

/** Where to, and always or when. */
const JumpRule = ({ jump, targets, readable, onChange, onRemove }: JumpRuleProps) => (
  <div className="rule-box">
    <NativeSelect
      size="xs"
      label="After this page go on to"
      data={targets}
      value={jump.to}
      onChange={({ currentTarget: { value } }) => onChange({ to: value })}
    />
    {jump.when === null ? (
      <div className="inspector-buttons">
        <span className="inspector-hint">Always</span>
        <Button
          size="xs"
          variant="subtle"
          disabled={readable.length === 0}
          onClick={() => onChange({ when: newCondition(readable) })}
        >
          Only sometimes
        </Button>
        <Button size="xs" variant="subtle" onClick={onRemove}>
          Take out
        </Button>
      </div>
    ) : (
      <ConditionFields
        title="When"
        condition={jump.when}
        readable={readable}
        onChange={(when) => (when ? onChange({ when }) : onRemove())}
      />
    )}
  </div>
);
