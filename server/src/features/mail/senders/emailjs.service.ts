// What @emailjs/browser 4.4.1 does, on a server: the package for Node.js says another version and dies of a slow line.
import { EmailJSResponseStatus } from "@emailjs/nodejs";
import { HEADLESS_REFUSAL, HEADLESS_STATUS } from "../../../core/errors.ts";
import { settings } from "../../../core/settings.ts";
import { type ServiceTurn, takeTurn } from "./emailjs-turns.ts";
import { post } from "./http-post.ts";
import { SendError } from "./sender.service.ts";

export const EMAILJS_LIB_VERSION = "4.4.1";
const TIMEOUT_MS = 15_000;

export interface EmailJsOptions {
  publicKey: string;
  privateKey?: string | undefined;
  blockList?: { list: string[]; watchVariable: string };
  limitRate?: { throttle: number };
  /** Said by a page that is driven by a program. */
  isHeadless?: boolean;
  /** Whose turn it has to be; where left out nobody waits. */
  turn?: ServiceTurn;
}

/** No answer came: status 0, as the service's own package has it. */
export class NetworkError extends EmailJSResponseStatus {
  isUncertain: boolean;

  constructor(isUncertain: boolean) {
    super(0, "Network Error");
    this.isUncertain = isUncertain;
  }
}

type TemplateParams = Record<string, unknown> | FormData;

/** Sends a template. Throws EmailJSResponseStatus as the service's own package does, and Error for what is missing. */
export async function sendTemplate(
  serviceId: string,
  templateId: string,
  params: Record<string, unknown>,
  options: EmailJsOptions,
): Promise<EmailJSResponseStatus> {
  await checkCall([options.publicKey, serviceId, templateId], params, options);
  const { publicKey, privateKey } = options;
  return deliver(
    "/api/v1.0/email/send",
    JSON.stringify({
      lib_version: EMAILJS_LIB_VERSION,
      user_id: publicKey,
      service_id: serviceId,
      template_id: templateId,
      template_params: params,
      ...(privateKey ? { accessToken: privateKey } : {}),
    }),
  );
}

/** Sends the fields and files of a form. */
export async function sendForm(
  serviceId: string,
  templateId: string,
  form: FormData,
  options: EmailJsOptions,
): Promise<EmailJSResponseStatus> {
  await checkCall([options.publicKey, serviceId, templateId], form, options);
  const body = new FormData();
  for (const [name, value] of form) body.append(name, value);
  body.set("lib_version", EMAILJS_LIB_VERSION);
  body.set("service_id", serviceId);
  body.set("template_id", templateId);
  body.set("user_id", options.publicKey);
  if (options.privateKey) body.set("accessToken", options.privateKey);
  return deliver("/api/v1.0/email/send-form", body);
}

/** In the order of the service's own package: the first that is wrong is what is said. */
async function checkCall(names: [string, string, string], params: TemplateParams, options: EmailJsOptions) {
  if (options.isHeadless) throw new EmailJSResponseStatus(HEADLESS_STATUS, HEADLESS_REFUSAL);
  requireNames(names);
  if (!(params instanceof FormData) && Object.prototype.toString.call(params) !== "[object Object]") {
    throw new Error("The template params have to be the object. Visit https://www.emailjs.com/docs/sdk/send/");
  }
  if (isBlocked(options.blockList, params)) throw new EmailJSResponseStatus(403, "Forbidden");
  const throttleMs = options.limitRate?.throttle ?? 0;
  if (throttleMs < 0) throw new Error("The LimitRate throttle has to be a positive number");
  await takeTurn(throttleMs, options.turn ?? AT_ONCE);
}

const AT_ONCE: ServiceTurn = { line: "people", asker: { group: "", one: "" }, patienceMs: 0 };

function requireNames([publicKey, serviceId, templateId]: [string, string, string]): void {
  if (!publicKey) throw new Error("The public key is required. Visit https://dashboard.emailjs.com/admin/account");
  if (!serviceId) throw new Error("The service ID is required. Visit https://dashboard.emailjs.com/admin");
  if (!templateId) throw new Error("The template ID is required. Visit https://dashboard.emailjs.com/admin/templates");
}

function isBlocked(blockList: EmailJsOptions["blockList"], params: TemplateParams): boolean {
  if (!blockList?.list.length || !blockList.watchVariable) return false;
  const value: unknown =
    params instanceof FormData ? params.get(blockList.watchVariable) : params[blockList.watchVariable];
  return typeof value === "string" && blockList.list.includes(value);
}

async function deliver(path: string, body: string | FormData): Promise<EmailJSResponseStatus> {
  const answer = await post({
    url: `${settings().EMAILJS_HOST}${path}`,
    body,
    failure: "no answer",
    timeoutMs: TIMEOUT_MS,
  }).catch((error: unknown) => {
    throw new NetworkError(error instanceof SendError && error.isUncertain);
  });
  const status = new EmailJSResponseStatus(answer.status, answer.text);
  if (answer.status === 200) return status;
  throw status;
}
