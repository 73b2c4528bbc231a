// Who pays for a case changes while it goes on.
import { z } from "zod";
import { COVERS } from "./aid-switch.ts";
import { CASE_INVOICES_MAX } from "./case-invoices.ts";
import { eachOnce } from "./each-once.ts";
import { idSchema } from "./ids.ts";
import { invoiceRowSchema, invoiceLineSchema, LINES_MAX } from "./invoices.ts";

const versionSchema = z.number().int().min(0);

export const aidSwitchSchema = z.strictObject({ caseId: idSchema, partyId: idSchema });

const chargedLineSchema = invoiceLineSchema
  .pick({ description: true, kind: true, qtyMilli: true, unitMinor: true, vatRateBp: true })
  .extend({ grossMinor: z.number().int(), cover: z.enum(COVERS) });

/** What stands in the case, and which line is charged no more. */
export const aidPreviewSchema = z.object({
  /** Of the case. */
  version: versionSchema,
  /** Those that were issued and are not void, and that somebody but a scheme pays. */
  invoices: z.array(
    invoiceRowSchema
      .pick({
        id: true,
        number: true,
        payer: true,
        payerName: true,
        currency: true,
        creditedMinor: true,
        dueMinor: true,
        version: true,
      })
      .extend({ lines: z.array(chargedLineSchema) }),
  ),
  /** Drafts, which nobody owes: whoever wrote them looks at them again. */
  draftCount: z.number().int(),
});
export type AidPreview = z.infer<typeof aidPreviewSchema>;

export const switchToLegalAidSchema = z.strictObject({
  id: idSchema,
  version: versionSchema,
  partyId: idSchema,
  /** All that was looked at, as it was then. */
  invoices: z
    .array(
      z.strictObject({
        id: idSchema,
        version: versionSchema,
        /** Of lines of which nobody knew: where they stand in the invoice, and whether they are of the first session. */
        sessions: z
          .array(z.strictObject({ at: z.number().int().min(0).max(LINES_MAX), isFirst: z.boolean() }))
          .max(LINES_MAX)
          .refine((lines) => eachOnce(lines, ({ at }) => String(at)), "Answer for each line once"),
      }),
    )
    .max(CASE_INVOICES_MAX)
    .refine((invoices) => eachOnce(invoices, ({ id }) => id), "Name each invoice once"),
});
export type SwitchToLegalAid = z.infer<typeof switchToLegalAidSchema>;

export const switchedSchema = z.object({
  creditedMinor: z.number().int(),
  /** Of each payer to whom something goes back. */
  toReturn: z.array(z.object({ payerName: z.string(), currency: z.string(), amountMinor: z.number().int() })),
});
export type Switched = z.infer<typeof switchedSchema>;
