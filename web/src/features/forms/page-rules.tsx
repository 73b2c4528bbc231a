import { FORM_END, type FormPage } from "@app/shared/form-content";
import { JUMPS_MAX } from "@app/shared/form-limits";
import { pageName } from "@app/shared/form-words";
import { Button, NativeSelect } from "@mantine/core";
import { useRef } from "react";
import { useBuilderContext } from "./builder-context.ts";
import { ConditionFields } from "./condition-fields.tsx";
import { focusAfter } from "./focus-after.ts";
import { newCondition, readableBefore } from "./readable.ts";
import { changePage } from "./page-edits.ts";
import { Rule } from "./rule.tsx";

type Jump = FormPage["jumps"][number];

/** When a page is shown, and where people go after it. */
export function PageRules({ page }: { page: FormPage }) {
  const { content, edit } = useBuilderContext();
  const before = readableBefore(content, { pageId: page.id, fieldId: null });
  const change = (part: Partial<FormPage>) => edit((form) => changePage(form, page.id, (one) => ({ ...one, ...part })));
  return (
    <>
      <Rule
        title="Show this page only when"
        add="Show this page only sometimes"
        condition={page.visibleIf}
        readable={before}
        onChange={(visibleIf) => change({ visibleIf })}
      />
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
  const place = useRef<HTMLDivElement>(null);
  const add = () =>
    focusAfter(
      place.current,
      () => onChange([...page.jumps, { when: readable.length > 0 ? newCondition(readable) : null, to: FORM_END }]),
      (drawn) => drawn.querySelectorAll(".jump-rule").item(page.jumps.length)?.querySelector("select"),
    );
  const takeOut = (index: number) =>
    focusAfter(
      place.current,
      () => onChange(page.jumps.toSpliced(index, 1)),
      (drawn) => drawn.querySelector(".jump-add"),
    );
  return (
    <div ref={place} className="inspector-fields">
      {page.jumps.map((jump, index) => (
        <JumpRule
          // Jumps have no names, and are looked at in their order.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          jump={jump}
          targets={targets}
          readable={readable}
          onChange={(part) => onChange(page.jumps.with(index, { ...jump, ...part }))}
          onRemove={() => takeOut(index)}
        />
      ))}
      {page.jumps.length < JUMPS_MAX && (
        <Button size="xs" variant="default" className="jump-add" onClick={add}>
          Add a jump
        </Button>
      )}
    </div>
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
function JumpRule({ jump, targets, readable, onChange, onRemove }: JumpRuleProps) {
  const box = useRef<HTMLDivElement>(null);
  const onlySometimes = () =>
    focusAfter(
      box.current,
      () => onChange({ when: newCondition(readable) }),
      (drawn) => drawn.querySelector(".rule-part select"),
    );
  return (
    <div ref={box} className="rule-box jump-rule">
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
          <Button size="xs" variant="subtle" disabled={readable.length === 0} onClick={onlySometimes}>
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
}
