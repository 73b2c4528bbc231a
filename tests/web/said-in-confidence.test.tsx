// Under which words the notes of what somebody said in confidence stand.
import type { ListedNote } from "@app/shared/notes";
import { richTextOf } from "@app/shared/rich-text";
import { caucusOf, PRACTICE_ONLY } from "@app/shared/visibility";
import { QueryClientProvider } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { NoteCard } from "../../web/src/features/notes/note-card.tsx";
import { draw } from "./page.tsx";
import { A_PARTY } from "./parties.ts";
import { A_CASE } from "./sessions.ts";
import { STATUS } from "./signed-in.ts";

const AT = "2026-11-20T12:00:00.000Z";
const NOTE: ListedNote = {
  id: "n1",
  caseId: A_CASE.id,
  sessionId: null,
  assessmentId: null,
  partyId: A_PARTY.partyId,
  releasedFromId: null,
  consent: null,
  clientId: null,
  kind: "file_note",
  visibility: caucusOf(A_PARTY.partyId),
  body: richTextOf("First contact"),
  createdAt: AT,
  updatedAt: AT,
  createdByName: "Ines Marchbank",
  updatedByName: "Ines Marchbank",
  isPinned: false,
  isLocked: false,
  version: 0,
  releases: [],
};

test.each([
  ["a file note", {}, "What Bea said in confidence"],
  ["a note of a separate meeting", { kind: "caucus" }, "Separate meeting with Bea (P1)"],
  ["a file note that is nobody’s", { visibility: PRACTICE_ONLY }, "Practice team"],
] as const)("a note in confidence: %s stands under what is true of it", (_name, more, words) => {
  rememberSession(STATUS);
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <NoteCard note={{ ...NOTE, ...more }} theCase={{ ...A_CASE, parties: [A_PARTY] }} />
      </QueryClientProvider>
    </api.Provider>,
  );
  expect(screen.getByText(words)).toBeTruthy();
});
