import type { Request } from "express";
import { TRPCError } from "@trpc/server";
import type { z } from "zod";
import { badField } from "./errors.ts";

const incomplete = () => new TRPCError({ code: "BAD_REQUEST", message: "This upload is not complete." });

/** What is said of a file that comes as the body, as JSON in the address. */
export function describedUpload<Schema extends z.ZodType>(req: Request, schema: Schema): z.output<Schema> {
  const upload = schema.safeParse(jsonIn(req, "upload", incomplete));
  if (upload.success) return upload.data;
  const [issue] = upload.error.issues;
  throw badField(issue?.path.join(".") ?? "name", issue?.message ?? "This upload is not complete.");
}

/** A parameter of the address that is JSON; otherwise throws what `refuse` makes. */
export function jsonIn(req: Request, name: string, refuse: () => Error): unknown {
  const text: unknown = req.query[name];
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw error instanceof SyntaxError ? refuse() : error;
  }
}
