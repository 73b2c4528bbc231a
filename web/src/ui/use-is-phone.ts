import { useMediaQuery } from "@mantine/hooks";

export const useIsPhone = (): boolean => useMediaQuery("(max-width: 720px)", false, { getInitialValueInEffect: false });
