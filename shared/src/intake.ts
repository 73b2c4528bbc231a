// Somebody new comes to the practice: who they are, with whom they are in dispute, and the case that they bring.
import { z } from "zod";
import { createCaseSchema } from "./cases.ts";
import { createClientSchema } from "./clients.ts";
import { conflictDecisionSchema } from "./conflicts.ts";
import { idSchema } from "./ids.ts";

export const intakeSchema = z
  .strictObject({
    client: createClientSchema,
    /** The other party: a client of the practice, or somebody new too; null while nobody is known. */
    other: z.union([z.strictObject({ clientId: idSchema }), z.strictObject({ client: createClientSchema })]).nullable(),
    /** Null where no case is opened yet. */
    theCase: createCaseSchema.omit({ parties: true }).nullable(),
    /** Null where it is decided later. */
    conflict: conflictDecisionSchema.nullable(),
    /** Somebody said that whoever is new is not the client who has the same name already. */
    isAnother: z.boolean(),
  })
  .refine(({ theCase, other, conflict }) => theCase !== null || (other === null && conflict === null), {
    path: ["theCase"],
    message: "Open a case for both participants",
  });
export type Intake = z.infer<typeof intakeSchema>;

export const intakeResultSchema = z.object({
  /** The new client. */
  id: idSchema,
  displayName: z.string(),
  caseId: idSchema.nullable(),
});
export type IntakeResult = z.infer<typeof intakeResultSchema>;
