// Where somebody came from before they wrote: read when the page is loaded, because nothing of it is kept anywhere.
import type { SubmitAnswers } from "@app/shared/submissions";

type Attribution = NonNullable<SubmitAnswers["attribution"]>;

const TRACE_MAX_LENGTH = 120;
const PATH_MAX_LENGTH = 300;

const hostOf = (address: string): string => {
  try {
    return new URL(address).host;
  } catch (error) {
    if (error instanceof TypeError) return "";
    throw error;
  }
};

function read(): Attribution {
  const { searchParams, pathname } = new URL(window.location.href);
  const trace = (name: string) => (searchParams.get(name) ?? "").replace(/\p{Cc}/gu, " ").slice(0, TRACE_MAX_LENGTH);
  const from = hostOf(document.referrer);
  return {
    utmSource: trace("utm_source"),
    utmMedium: trace("utm_medium"),
    utmCampaign: trace("utm_campaign"),
    utmTerm: trace("utm_term"),
    utmContent: trace("utm_content"),
    referrerHost: from === window.location.host ? "" : from,
    landingPath: pathname.slice(0, PATH_MAX_LENGTH),
  };
}

export const arrival: Attribution = read();
