import { PARTY_LEAK } from "@app/shared/party-leak";
import { forbidden } from "../../core/errors.ts";

/** For a caller alone: what is stored or told says the words without the code. */
export const partyLeak = (words: string) => forbidden(`${PARTY_LEAK}${words}`);
