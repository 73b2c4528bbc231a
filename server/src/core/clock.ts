export const clock = { now: () => new Date() };

/** The only source of the present time. Tests fix it through `clock.now`. */
export const now = (): Date => clock.now();
