// How somebody may be reached without risk: the same questions wherever they are asked, saved to the client.
import { line, needed, page, yesNo } from "./parts.ts";

const MEDIATOR = { sensitivity: "mediator" } as const;

export const safeContactPage = () =>
  page(
    "safe_contact",
    "Contacting you safely",
    "We ask everyone this. Somebody else may see your messages, answer your phone or open your post, so tell us what is safe. We use no way that you have not said yes to.",
    [
      yesNo("may_email", "May we email you?", { ...needed, ...MEDIATOR, mapTo: "client.mayEmail" }),
      yesNo("may_text", "May we send you text messages?", { ...needed, ...MEDIATOR, mapTo: "client.mayText" }),
      yesNo("may_phone", "May we phone you?", { ...needed, ...MEDIATOR, mapTo: "client.mayPhone" }),
      yesNo("may_voicemail", "Is it safe to leave a voicemail?", {
        ...needed,
        ...MEDIATOR,
        mapTo: "client.mayLeaveVoicemail",
      }),
      yesNo("may_post", "May we write to you by post?", { ...needed, ...MEDIATOR, mapTo: "client.mayPost" }),
      line("safe_times", "When is it safe to call?", {
        ...MEDIATOR,
        help: "For example “weekdays before three”. Leave it empty if any time is fine.",
        mapTo: "client.safeTimes",
      }),
      line("code_word", "Would you like a code word?", {
        ...MEDIATOR,
        help: "We say it when we call, so that you know it is us, and you can say it if you cannot talk.",
        mapTo: "client.codeWord",
      }),
    ],
  );
