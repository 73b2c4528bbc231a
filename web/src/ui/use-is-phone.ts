import { useMediaQuery } from "@mantine/hooks";

const PHONE = "(max-width: 720px)";

export const useIsPhone = (): boolean => useMediaQuery(PHONE, false, { getInitialValueInEffect: false });

/** The same where there is no component yet. */
export const isPhoneNow = (): boolean => window.matchMedia(PHONE).matches;
