import { keyedHash } from "../../../core/crypto.ts";

/**
 * The envelope identifier of a mail (RFC 3461, 4.4). A server that reports on its delivery says it in the report. It
 * stands in no header, so whoever merely got the mail cannot know it; whoever runs the server that got it can.
 */
export const envelopeIdOf = (messageId: string): string => keyedHash(`envelope ${messageId}`);
