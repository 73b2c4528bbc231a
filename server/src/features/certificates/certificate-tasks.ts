// What is still to be done about a certificate, found again by what it is about.
import { callOff } from "../tasks/asked-tasks.service.ts";
import type { CertificateDoc } from "./certificates.model.ts";

type Named = Pick<CertificateDoc, "_id">;

/** What it says is not recorded, and may be again. */
export const saidAbout = ({ _id }: Named): string => `what certificate ${_id} says`;
/** What was so when it was issued has changed. */
export const changeAbout = ({ _id }: Named): string => `what changed since certificate ${_id}`;
export const reopeningAbout = ({ _id }: Named): string => `reopening since certificate ${_id}`;
export const lastDayAbout = ({ _id }: Named): string => `last day of certificate ${_id}`;

/** All that asks to look at it again. */
export const doubtsAbout = (certificate: Named): string[] =>
  [saidAbout, changeAbout, reopeningAbout].map((about) => about(certificate));

type Kept = Pick<CertificateDoc, "_id" | "ownerId" | "caseId">;

/** It is void: nobody looks at it again, or applies by it. */
export const endOfVoid = (certificate: Kept): Promise<void> =>
  end(certificate, [...doubtsAbout(certificate), lastDayAbout(certificate)]);

/** Somebody applied by it. */
export const endOfUsed = (certificate: Kept): Promise<void> => end(certificate, [lastDayAbout(certificate)]);

const end = ({ ownerId, caseId }: Kept, abouts: string[]): Promise<void> => callOff({ ownerId, caseId, abouts });
