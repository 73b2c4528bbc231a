import { z } from "zod";
import { idSchema } from "./ids.ts";
import { consentSchema } from "./notes.ts";
import { pageInputSchema, pageOf } from "./pagination.ts";
import { FINANCIAL_PRIVILEGE, PRIVILEGES } from "./privileges.ts";
import { searchSchema } from "./search-text.ts";
import { lineSchema, visibleName } from "./text.ts";
import { instantSchema } from "./time.ts";
import { visibilitySchema } from "./visibility.ts";

export const FILE_MAX_BYTES = 250 * 1024 * 1024;
export const IMAGE_MAX_BYTES = 25 * 1024 * 1024;
export const IMAGE_MAX_PIXELS = 50_000_000;
/** Of a whole practice. */
export const QUOTA_BYTES = 20 * 1024 * 1024 * 1024;
export const FILE_NAME_MAX_LENGTH = 200;
export const FILE_TAGS_MAX = 10;
export const FILES_BULK_MAX = 100;
export const UPLOADS_AT_ONCE = 3;

/** What a file may be called: one line without signs that are a path; those that nobody sees are taken out. */
export const fileNameSchema = z
  .string()
  .transform(visibleName)
  .pipe(lineSchema(FILE_NAME_MAX_LENGTH).min(1, "Give the file a name"))
  .refine((name) => /^[^/\\:*?"<>|]+$/u.test(name), 'Leave out / \\ : * ? " < > and |')
  .refine((name) => !/^\.+$/.test(name), "Give the file a name");

const NO_FILE_NAME_SIGNS = /[/\\:*?"<>|]+/g;
const ENDING = /\.[^.]{1,9}$/;

/** By what name a file is kept of somebody who cannot be asked to rename theirs; its ending stays as it is. */
function storableFileName(given: string): string {
  const name = visibleName(given).replace(NO_FILE_NAME_SIGNS, "-");
  if (name.length <= FILE_NAME_MAX_LENGTH) return name;
  const [ending = ""] = ENDING.exec(name) ?? [];
  return `${name.slice(0, FILE_NAME_MAX_LENGTH - ending.length)}${ending}`;
}

/** The same for what the public sends: whatever a name may not have is replaced instead of refused. */
export const sentFileNameSchema = z.string().transform(storableFileName).pipe(fileNameSchema);

const placeFields = { clientId: idSchema.nullable(), caseId: idSchema.nullable() };

/** What may be said of a file outside the case; what is financial disclosure is open. */
export const fileMarkSchema = z
  .strictObject({ privilege: z.enum(PRIVILEGES), isFinancial: z.boolean() })
  .refine(({ privilege, isFinancial }) => !isFinancial || privilege === FINANCIAL_PRIVILEGE, {
    path: ["privilege"],
    message: "Financial disclosure is open. Mark it so, or as another document",
  });
export type FileMark = z.infer<typeof fileMarkSchema>;
export const NO_MARK = { privilege: "none", isFinancial: false } as const satisfies FileMark;

export const uploadSchema = z
  .strictObject({
    ...placeFields,
    name: fileNameSchema,
    visibility: visibilitySchema,
    /** Not marked where it is left out. */
    mark: fileMarkSchema.optional(),
    /** Said by whoever answers for the case: it is the practice's own and came from no party, such as a leaflet. */
    isOurOwn: z.boolean().optional(),
  })
  .refine(({ clientId, caseId }) => clientId !== null || caseId !== null, {
    path: ["clientId"],
    message: "Choose a client or a case",
  });
export type Upload = z.output<typeof uploadSchema>;

const tagsSchema = z.array(lineSchema(30).min(1)).max(FILE_TAGS_MAX);

export const fileSchema = z.object({
  ...placeFields,
  id: idSchema,
  name: z.string(),
  mime: z.string(),
  sizeBytes: z.number().int(),
  tags: tagsSchema,
  visibility: visibilitySchema,
  mark: fileMarkSchema,
  /** Shared once, whoever reads it by now. */
  isOfAllParties: z.boolean(),
  /** In nobody's confidence, also where only some may read it. */
  isOurOwn: z.boolean(),
  /** When a mail first took it outside: its mark stays from then on. */
  sentAt: instantSchema.nullable(),
  releasedFromId: idSchema.nullable(),
  consent: consentSchema.nullable(),
  isDeleted: z.boolean(),
  createdAt: instantSchema,
  /** When its name last changed. */
  changedAt: instantSchema,
  createdByName: z.string(),
  version: z.number().int(),
});
export type StoredFile = z.infer<typeof fileSchema>;

export const listFilesSchema = z.strictObject({
  ...pageInputSchema.shape,
  clientId: idSchema,
  search: searchSchema,
  privilege: z.enum(PRIVILEGES).optional(),
});
export const filePageSchema = pageOf(fileSchema);

export const MARKED_FILES_MAX = 100;
/** Of a case, those that stay in it or were let out of it. */
export const markedFilesSchema = z.object({
  items: z.array(fileSchema.pick({ id: true, name: true, mark: true })),
  /** Whether these are all, or the newest of more. */
  isComplete: z.boolean(),
});
export type MarkedFiles = z.infer<typeof markedFilesSchema>;

const MARK_REASON_MAX_LENGTH = 200;

export const updateFileSchema = z.strictObject({
  id: idSchema,
  version: z.number().int().min(0),
  name: fileNameSchema,
  tags: tagsSchema,
  visibility: visibilitySchema,
  /** As it was where it is left out. */
  mark: fileMarkSchema.optional(),
  /** It is no paper of the practice's own after all. */
  isOurOwn: z.literal(false).exactOptional(),
  /** Asked where its mark lets it be told to more than before. */
  markReason: lineSchema(MARK_REASON_MAX_LENGTH).optional(),
});
export const releaseFileSchema = z.strictObject({
  id: idSchema,
  /** The id of the shared file that this makes. */
  newId: idSchema,
  readers: visibilitySchema,
  /** Of the party in whose confidence it is, or who shared it before others joined; null where it needs nobody's. */
  consent: consentSchema.nullable(),
});
const idsSchema = z.array(idSchema).min(1).max(FILES_BULK_MAX);
export const fileIdsSchema = z.strictObject({ ids: idsSchema });
export const moveFilesSchema = z.strictObject({ ...placeFields, ids: idsSchema });
export const changedFilesSchema = z.object({ changed: z.number().int() });

const INLINE_MIMES = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"];
/** Whether a browser may show it by itself; everything else is only ever downloaded. */
export const isShownInline = (mime: string): boolean => INLINE_MIMES.includes(mime);

/** 1,234,567 bytes as "1.2 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ["KB", "MB", "GB"];
  const power = Math.min(units.length, Math.floor(Math.log(bytes) / Math.log(1024)));
  const value = bytes / 1024 ** power;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power - 1] ?? ""}`;
}
