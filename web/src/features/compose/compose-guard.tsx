import type { MailProblem } from "@app/shared/mail-check";
import { Button } from "@mantine/core";
import { IconBan } from "@tabler/icons-react";
import type { Compose } from "./use-compose.ts";

const SHOWN = new Set<MailProblem["code"]>([
  "other_party",
  "not_by_mail",
  "unasked",
  "archived",
  "died",
  "perhaps_died",
  "quote",
  "file",
  "files_too_large",
]);

/** What may not leave like this, while it is written, with the way out beside it. */
export function ComposeGuard({ compose }: { compose: Compose }) {
  const { draft, check, change } = compose;
  const problems = check?.problems.filter(({ code }) => SHOWN.has(code)) ?? [];
  const without = ({ address, fileId }: MailProblem) =>
    change({
      to: draft.to.filter((one) => one.address !== address),
      cc: draft.cc.filter((one) => one.address !== address),
      fileIds: draft.fileIds.filter((id) => id !== fileId),
    });
  const nameOf = ({ address, fileId }: MailProblem) => {
    const person = check?.recipients.find((one) => one.address === address);
    const file = check?.files.find(({ id }) => id === fileId);
    return person ? person.name.split(" ")[0] || person.address : (file?.name ?? "");
  };
  return (
    <div aria-live="assertive">
      {problems.map((problem) => (
        <div className="compose-guard" key={`${problem.title}${problem.address ?? problem.fileId ?? ""}`}>
          <IconBan size={18} stroke={1.7} aria-hidden />
          <p>
            <strong>{problem.title}</strong> {problem.detail}
          </p>
          {(problem.address ?? problem.fileId) && (
            <Button size="xs" variant="default" onClick={() => without(problem)}>
              Remove {nameOf(problem)}
            </Button>
          )}
        </div>
      ))}
    </div>
  );
}
