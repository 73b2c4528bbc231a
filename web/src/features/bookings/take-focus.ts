/** As a ref: what was pressed is gone, and whoever uses a keyboard or hears the page goes on from here. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();
