/** The heading says where somebody is now. Apart from what dialogs do, which no public page loads. */
export function focusTitle(): void {
  const title = document.querySelector("h1");
  if (!title) return;
  title.tabIndex = -1;
  title.focus({ preventScroll: true });
}
