import type { AnsweredRow } from "@app/shared/submissions";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { AnswersTable } from "../../web/src/features/submissions/answers-table.tsx";
import { draw } from "./page.tsx";
import { STATUS } from "./signed-in.ts";

const NOON = "2026-11-20T12:00:00.000Z";
const ROW: AnsweredRow = {
  id: "s1",
  formId: "f1",
  formName: "Walk",
  kind: "questionnaire",
  status: "submitted",
  clientId: null,
  clientName: "",
  caseId: null,
  partyId: null,
  isSuspect: true,
  flags: ["There are children"],
  startedAt: NOON,
  submittedAt: NOON,
  version: 1,
  cells: ["Una File"],
};

test("the answers of a form: a row says the first answers, its marks and that it may be spam, and is opened once by its button", async () => {
  rememberSession(STATUS);
  const onOpen = vi.fn<(id: string) => void>();
  const columns = [{ fieldId: "who", label: "Your name" }];
  draw(
    <AnswersTable
      rows={[ROW]}
      columns={columns}
      isFormNamed={false}
      isOldestFirst={false}
      onOrder={() => undefined}
      onOpen={onOpen}
    />,
  );
  expect(screen.getAllByText("There are children")[0]?.title).toBe("There are children");
  for (const text of ["Your name", "Una File", "There are children", "Spam?"])
    expect(screen.getByText(text)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Read answers: Nobody’s yet" }));
  expect(onOpen.mock.calls).toEqual([["s1"]]);
});
