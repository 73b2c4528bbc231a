// The services that carry mail over HTTP: one call, an answer in bounded time, and whether it may have been accepted.
import { z } from "zod";
import { cutText } from "@app/shared/cut-text";
import { SendError } from "./sender.service.ts";

const TIMEOUT_MS = 30_000;
const SLOWEST_BYTES_PER_MS = 50;
const TEXT_MAX_LENGTH = 300;
// Nothing was said yet: there is nothing that could have been accepted.
const NEVER_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

interface Call {
  url: string;
  headers?: Record<string, string>;
  body: string | FormData;
  /** What a failure of the network is called. */
  failure: string;
  timeoutMs?: number;
}

export interface Answer {
  status: number;
  text: string;
}

/** Posts JSON or a form. Throws SendError where no answer came; an answer of any status is one. */
export async function post({ url, headers = {}, body, failure, timeoutMs = TIMEOUT_MS }: Call): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...(typeof body === "string" ? { "content-type": "application/json" } : {}), ...headers },
      body,
      // Whoever answers elsewhere has not taken the mail.
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs + timeOf(body)),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const isUncertain = !neverConnected(error);
    throw new SendError(failure, { isUncertain, isTemporary: true, isUnanswered: true, cause: error });
  }
}

/** What a large mail needs on a slow line. */
const timeOf = (body: string | FormData): number =>
  typeof body === "string" ? Math.ceil(body.length / SLOWEST_BYTES_PER_MS) : 0;

function neverConnected(error: unknown): boolean {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const reasons = cause instanceof AggregateError ? cause.errors : [cause];
  return reasons.every((reason) => NEVER_CONNECTED.test(String(codeOf(reason))));
}

const codeOf = (reason: unknown): unknown =>
  typeof reason === "object" && reason !== null && "code" in reason ? reason.code : "";

/** What a service says went wrong: the field it says it in, else its status and words. */
export function refusalOf({ status, text }: Answer, field: "error" | "message"): SendError {
  const said = z.looseObject({ [field]: z.string().min(1) }).safeParse(parsed(text));
  const message = said.success ? String(said.data[field]) : `HTTP ${status}: ${cutText(text, TEXT_MAX_LENGTH)}`;
  // A gateway that waited in vain for the next one cannot tell what became of the mail.
  return new SendError(message, {
    isUncertain: status === 504,
    isUnanswered: status === 504,
    isTemporary: status === 408 || status === 429 || status >= 500,
  });
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
