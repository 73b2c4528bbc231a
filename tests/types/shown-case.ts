// A case that nobody masked does not compile as an answer; nothing here is ever run.
import { type ShownCase, shownCase, shownCaseSchema } from "@app/server/features/cases/case-shown.service";
import type { Scope } from "@app/server/core/trpc";
import type { Case } from "@app/shared/cases";
import type { z } from "zod";

type Answer = z.input<typeof shownCaseSchema>;

export const masked = (scope: Scope, theCase: Case): Answer => shownCase(scope, theCase);

// @ts-expect-error the case itself, as the guards go by it
export const asStored = (theCase: Case): Answer => theCase;

// @ts-expect-error an object of the same look
export const forged = (theCase: Case): ShownCase => ({ [Symbol("as somebody is shown it")]: theCase });
