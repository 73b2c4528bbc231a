import { ISSUES_MAX } from "@app/shared/case-outcomes";
import { Button, Group, Input, NativeSelect, Stack, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { makeId } from "../../core/new-id.ts";
import { ISSUE_KIND_NAMES, ISSUE_RESULT_NAMES, optionsOf, pick } from "../cases/case-words.ts";
import type { OutcomeValues } from "./outcome-values.ts";

interface IssuesProps {
  issues: OutcomeValues["issues"];
  /** Whether it is asked what each is about. */
  hasKinds: boolean;
  error: ReactNode;
  onChange: (issues: OutcomeValues["issues"]) => void;
}

/** Each issue with what it is about, where the kind of case divides them, and what came of it. */
export function IssueFields({ issues, hasKinds, error, onChange }: IssuesProps) {
  const put = (index: number, change: Partial<OutcomeValues["issues"][number]>) =>
    onChange(issues.map((issue, at) => (at === index ? { ...issue, ...change } : issue)));
  return (
    <Stack gap="xs">
      {issues.map((issue, index) => (
        <div key={issue.key} className="outcome-issue">
          <TextInput
            label={`Issue ${index + 1}`}
            maxLength={100}
            value={issue.label}
            onChange={(event) => put(index, { label: event.currentTarget.value })}
          />
          {hasKinds && (
            <NativeSelect
              label="About"
              data={[{ value: "", label: "Choose" }, ...optionsOf(ISSUE_KIND_NAMES)]}
              value={issue.kind}
              onChange={({ currentTarget: { value } }) =>
                put(index, { kind: value === "" ? "" : pick(ISSUE_KIND_NAMES, value) })
              }
            />
          )}
          <NativeSelect
            label="Result"
            data={[{ value: "", label: "Choose" }, ...optionsOf(ISSUE_RESULT_NAMES)]}
            value={issue.result}
            onChange={({ currentTarget: { value } }) =>
              put(index, { result: value === "" ? "" : pick(ISSUE_RESULT_NAMES, value) })
            }
          />
          <Button
            variant="subtle"
            px="xs"
            aria-label={`Take issue ${index + 1} out`}
            onClick={() => onChange(issues.filter((each) => each !== issue))}
          >
            <IconX size={16} stroke={1.7} aria-hidden />
          </Button>
        </div>
      ))}
      {error && <Input.Error>{error}</Input.Error>}
      <Group>
        <Button
          size="xs"
          variant="default"
          disabled={issues.length >= ISSUES_MAX}
          leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}
          onClick={() => onChange([...issues, { key: makeId(), label: "", kind: "", result: "" }])}
        >
          Add an issue
        </Button>
      </Group>
    </Stack>
  );
}
